package io.ringfence.embed;

import io.ringfence.config.LoadedRules;
import io.ringfence.engine.Engine;
import io.ringfence.http.ConfiguredRules;
import io.ringfence.http.ConfiguredRules.ConfiguredRule;
import io.ringfence.metrics.MicrometerEngineMetrics;
import java.util.List;

/** The rules that a node goes by, known to all of its parts that need them. Thread-safe. */
final class RulesInForce {
  private final Engine engine;
  private final MicrometerEngineMetrics metrics;
  private volatile ConfiguredRules configured;

  /**
   * @param first what the engine was started with
   */
  RulesInForce(LoadedRules first, Engine engine, MicrometerEngineMetrics metrics) {
    this.engine = engine;
    this.metrics = metrics;
    this.configured = configured(first);
  }

  /** Puts others in force. */
  void install(LoadedRules loaded) {
    engine.install(loaded.rules());
    configured = configured(loaded);
    metrics.rulesInForce(loaded.rules());
    metrics.rulesReloaded(true);
  }

  /** Others were refused; those in force stay. */
  void refused() {
    metrics.rulesReloaded(false);
  }

  /** As people wrote them. */
  ConfiguredRules configured() {
    return configured;
  }

  private static ConfiguredRules configured(LoadedRules loaded) {
    List<ConfiguredRule> rules =
        loaded.written().stream()
            .map(rule -> new ConfiguredRule(rule.tiers(), rule.fields(), rule.chars()))
            .toList();
    return new ConfiguredRules(loaded.rules().version(), rules);
  }
}
