package io.ringfence.engine;

import io.ringfence.config.ConfigException;
import io.ringfence.config.RulesFile;
import io.ringfence.rules.RuleSet;
import java.nio.charset.StandardCharsets;

/** Rules as tests write them. */
final class YamlRules {
  private YamlRules() {}

  static RuleSet rules(String yaml) {
    try {
      return RulesFile.parse("rules.yaml", yaml.getBytes(StandardCharsets.UTF_8)).rules();
    } catch (ConfigException e) {
      throw new AssertionError(e.getMessage(), e);
    }
  }
}
