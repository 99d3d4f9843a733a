package io.ringfence.chaos.sim;

import io.ringfence.engine.LimitVerdict;
import io.ringfence.engine.Verdict;
import io.ringfence.rules.Ask;
import io.ringfence.rules.Limit;
import io.ringfence.rules.Rule;
import java.util.StringJoiner;

/** Scenarios, calls, verdicts and faults in the words of a story. */
final class Prologue {
  private Prologue() {}

  static String of(Scenario scenario) {
    StringJoiner lines = new StringJoiner("\n                 ");
    lines.add(
        "seed %d: %s, %d nodes, %d calls, %d faults; %s"
            .formatted(
                scenario.seed(),
                scenario.kind(),
                scenario.nodes(),
                scenario.calls().size(),
                scenario.faults().size(),
                scenario.rates()));
    for (Rule rule : scenario.rules().rules()) {
      for (Limit limit : rule.effect().limits()) {
        lines.add(
            "rule %s by %s, stage %d%s, cost %d, %s, cut off %s: %s"
                .formatted(
                    rule.name(),
                    rule.by(),
                    rule.order().stage(),
                    rule.effect().presentation().shadow() ? ", shadow" : "",
                    rule.effect().cost(),
                    rule.effect().failure().onUnavailable(),
                    rule.effect().failure().onPartition(),
                    limit.algorithm()));
      }
    }
    return lines.toString();
  }

  static String of(Call call) {
    StringJoiner counters = new StringJoiner(", ");
    for (Ask ask : call.asks) {
      counters.add("%s%s".formatted(ask.rule().name(), ask.values()));
    }
    String name = call.plan.requestId() == null ? "" : " as " + call.plan.requestId();
    return "%s asks to %s%s, cost %d, of %s"
        .formatted(call, call.plan.mode(), name, call.plan.cost(), counters);
  }

  static String of(Call call, Verdict verdict) {
    StringJoiner limits = new StringJoiner("; ");
    for (LimitVerdict limit : verdict.limits()) {
      limits.add(limit.rule().name() + " " + Messages.tell(limit.answer()));
    }
    return "%s %s: %s".formatted(call, verdict.allowed() ? "ALLOWED" : "DENIED", limits);
  }

  static String of(Fault fault) {
    return fault.toString();
  }
}
