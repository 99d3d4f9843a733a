package io.ringfence.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.ringfence.rules.Rule;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the series of a rule without building a string: one look-up by the rule's name in a map
 * that is never changed but replaced.
 *
 * <p>A check that was under way when the rules changed still carries a rule of the old set. It
 * counts for the rule of that name in the new set, and where there is none for series that go with
 * the next change.
 *
 * <p>Thread-safe; only a change of rules and such a late check take the lock.
 */
final class RuleBook {
  private final MeterRegistry registry;
  // Never changed once published. At least the rules in force; see above for the others.
  private volatile Map<String, RuleSeries> byName = Map.of();

  RuleBook(MeterRegistry registry) {
    this.registry = registry;
  }

  RuleSeries of(Rule rule) {
    RuleSeries found = byName.get(rule.name());
    return found != null ? found : open(rule);
  }

  private synchronized RuleSeries open(Rule rule) {
    RuleSeries found = byName.get(rule.name());
    if (found != null) {
      return found;
    }
    Map<String, RuleSeries> next = new HashMap<>(byName);
    RuleSeries opened = new RuleSeries(registry, rule);
    next.put(rule.name(), opened);
    byName = next;
    return opened;
  }

  /** From now on these rules are in force: their series exist, and no others. */
  synchronized void inForce(List<Rule> rules) {
    Map<String, RuleSeries> before = byName;
    Map<String, RuleSeries> next = new HashMap<>();
    Set<Meter.Id> wanted = new HashSet<>();
    for (Rule rule : rules) {
      RuleSeries series = before.get(rule.name());
      if (series == null || !series.algorithm().equals(RuleSeries.algorithm(rule))) {
        series = new RuleSeries(registry, rule);
      }
      next.put(rule.name(), series);
      series.meters().forEach(meter -> wanted.add(meter.getId()));
    }
    byName = next;
    for (RuleSeries series : before.values()) {
      for (Meter meter : series.meters()) {
        if (!wanted.contains(meter.getId())) {
          registry.remove(meter);
        }
      }
    }
  }
}
