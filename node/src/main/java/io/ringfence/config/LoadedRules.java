package io.ringfence.config;

import io.ringfence.rules.RuleSet;
import java.util.List;
import java.util.Map;

/**
 * What a rules file says. Immutable.
 *
 * @param rules the compiled rules; their version is the hash of the file's content
 * @param rulesets names of rules by name of the set that they form, for proxies that ask for a part
 * @param written the rules as they stand in the file, in its order
 * @param warnings what the file sets without effect or with a consequence that may surprise, one
 *     line each, for the log
 */
public record LoadedRules(
    RuleSet rules,
    Map<String, List<String>> rulesets,
    List<WrittenRule> written,
    List<String> warnings) {

  /** Copies the lists. */
  public LoadedRules {
    rulesets = Map.copyOf(rulesets);
    written = List.copyOf(written);
    warnings = List.copyOf(warnings);
  }
}
