package io.ringfence.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.ringfence.engine.Certainty;
import io.ringfence.engine.FallbackMode;
import io.ringfence.rules.Action;
import io.ringfence.rules.Limit;
import io.ringfence.rules.Rule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The series of one rule. All of them exist from the moment the rule is in force, at zero: a series
 * that first appears with its first event hides that event from a rate, and makes the number of
 * series depend on the traffic.
 */
final class RuleSeries {
  /** The algorithm of a rule that counts nothing. */
  static final String NO_ALGORITHM = "none";

  /** The algorithm of a rule whose limits do not all have the same. */
  static final String MIXED = "mixed";

  private final String algorithm;
  private final List<Meter> meters = new ArrayList<>();
  private final Map<Certainty, Counter> checks = new EnumMap<>(Certainty.class);
  private final Counter allowed;
  private final Map<RejectReason, Counter> rejected = new EnumMap<>(RejectReason.class);
  private final Counter shadowRejected;
  private final Map<FallbackMode, Counter> fallbackAllowed = new EnumMap<>(FallbackMode.class);
  private final Map<FallbackMode, Counter> fallbackDenied = new EnumMap<>(FallbackMode.class);

  RuleSeries(MeterRegistry registry, Rule rule) {
    String name = rule.name();
    algorithm = algorithm(rule);
    for (Certainty certainty : Certainty.values()) {
      checks.put(
          certainty,
          counter(
              registry,
              Counter.builder(Names.CHECKS)
                  .description("Checks that a rule applied to, by how sure the answer was")
                  .tag("rule", name)
                  .tag("algorithm", algorithm)
                  .tag("certainty", certainty.text())));
    }
    allowed =
        counter(
            registry,
            Counter.builder(Names.ALLOWED)
                .description("Allowed checks that an enforced rule applied to")
                .tag("rule", name));
    for (RejectReason reason : RejectReason.values()) {
      rejected.put(
          reason,
          counter(
              registry,
              Counter.builder(Names.REJECTED)
                  .description("Denied checks, by the rule that decided")
                  .tag("rule", name)
                  .tag("reason", reason.tag())));
    }
    shadowRejected =
        counter(
            registry,
            Counter.builder(Names.SHADOW_REJECTED)
                .description("Checks that a shadow rule would have denied")
                .tag("rule", name));
    for (FallbackMode mode : FallbackMode.values()) {
      fallbackAllowed.put(mode, fallback(registry, name, mode, true));
      fallbackDenied.put(mode, fallback(registry, name, mode, false));
    }
  }

  private Counter fallback(MeterRegistry registry, String rule, FallbackMode mode, boolean passes) {
    return counter(
        registry,
        Counter.builder(Names.FALLBACK)
            .description("Answers that a failure policy gave in an owner's place")
            .tag("rule", rule)
            .tag("mode", mode.name().toLowerCase(Locale.ROOT))
            .tag("allowed", Boolean.toString(passes)));
  }

  private Counter counter(MeterRegistry registry, Counter.Builder builder) {
    Counter counter = builder.register(registry);
    meters.add(counter);
    return counter;
  }

  /** What the tag {@code algorithm} of that rule says. */
  static String algorithm(Rule rule) {
    if (rule.effect().action() != Action.LIMIT) {
      return NO_ALGORITHM;
    }
    String common = "";
    for (Limit limit : rule.effect().limits()) {
      String algorithm = limit.algorithm().kind().configName();
      if (!common.isEmpty() && !common.equals(algorithm)) {
        return MIXED;
      }
      common = algorithm;
    }
    return common.isEmpty() ? NO_ALGORITHM : common;
  }

  /** The tag of this series. */
  String algorithm() {
    return algorithm;
  }

  void checked(Certainty certainty) {
    count(checks.get(certainty));
  }

  void allowed() {
    allowed.increment();
  }

  void rejected(RejectReason reason) {
    count(rejected.get(reason));
  }

  void shadowRejected() {
    shadowRejected.increment();
  }

  void fallback(FallbackMode mode, boolean passed) {
    count((passed ? fallbackAllowed : fallbackDenied).get(mode));
  }

  private static void count(@Nullable Counter counter) {
    if (counter == null) {
      throw new IllegalStateException("every constant has its counter");
    }
    counter.increment();
  }

  /** All of them. */
  List<Meter> meters() {
    return Collections.unmodifiableList(meters);
  }
}
