package io.ringfence.http;

import java.util.List;
import java.util.Map;

/**
 * The rules in force as people configured them.
 *
 * @param version the version of the set
 * @param rules in their order
 */
public record ConfiguredRules(String version, List<ConfiguredRule> rules) {

  /** Copies the rules. */
  public ConfiguredRules {
    rules = List.copyOf(rules);
  }

  /**
   * One rule.
   *
   * @param tiers the tiers that it names; empty where it is not for tiers
   * @param fields what is configured, by the names of the rules file, in the order in which it was
   *     written. Values are texts, numbers, booleans, lists and mappings of these.
   * @param chars how much text that is
   */
  public record ConfiguredRule(List<String> tiers, Map<String, Object> fields, int chars) {

    /** Copies the tiers; the fields are the caller's, who changes them no more. */
    public ConfiguredRule {
      tiers = List.copyOf(tiers);
    }
  }
}
