package io.ringfence.chaos;

import io.ringfence.chaos.StuckScenario.Timed;
import io.ringfence.chaos.cluster.Cluster;
import io.ringfence.chaos.wire.Certainty;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Owner and backup of some keys hang; what their callers pay for it. */
@Command(
    name = "stuck",
    description = "Freezes two of three nodes and prints what checks for their keys cost.",
    mixinStandardHelpOptions = true)
final class StuckRun implements Callable<Integer> {
  private static final int FIRST = 20;
  private static final Duration TOTAL_BELOW = Duration.ofSeconds(2);

  @Mixin private final ClusterOptions options = new ClusterOptions();

  @Option(names = "--checks", defaultValue = "200", description = "Default: ${DEFAULT-VALUE}.")
  private int checks;

  @Option(names = "--trials", defaultValue = "3", description = "Default: ${DEFAULT-VALUE}.")
  private int trials;

  @Override
  public Integer call() throws IOException {
    options.requireThreeNodes();
    if (checks <= FIRST) {
      throw new IllegalArgumentException("--checks must be above " + FIRST + ", not " + checks);
    }
    Table table =
        new Table(
            "trial",
            "allowed, degraded",
            "total ms",
            "waited for the deadline",
            "p50 ms",
            "p99 ms after the first " + FIRST,
            "survivor's own key: p99 ms",
            "its admissions",
            "exact again after");
    boolean right = true;
    try (Cluster cluster =
        options.cluster("stuck", StuckScenario.CONFIG, StuckScenario.RULES).startInTurn()) {
      for (int trial = 1; trial <= trials; trial++) {
        cluster.awaitWholeView();
        right &= row(table, trial, new StuckScenario(cluster, trial).run(checks));
      }
    }
    System.out.println(
        ("3 nodes, owner and backup frozen, one caller at the third, %d checks one after another;"
                + " deadline %d ms, 5 failures open the breaker, probe after %d ms\n")
            .formatted(checks, StuckScenario.DEADLINE.toMillis(), StuckScenario.PROBE.toMillis()));
    System.out.print(table);
    return right ? 0 : 1;
  }

  private boolean row(Table table, int trial, StuckScenario.Outcome outcome) {
    List<Timed> foreign = outcome.foreign();
    table.row(
        trial,
        outcome.admittedDegraded() + " of " + foreign.size(),
        millis(outcome.total().toNanos()),
        foreign.stream()
            .filter(timed -> timed.took().compareTo(StuckScenario.DEADLINE) >= 0)
            .count(),
        millis(times(foreign).getValueAtPercentile(50)),
        millis(times(foreign.subList(FIRST, foreign.size())).getValueAtPercentile(99)),
        millis(times(outcome.own()).getValueAtPercentile(99)),
        outcome.ownAdmitted() + " of " + outcome.own().size(),
        "%.2f s".formatted(outcome.untilEnforced().toMillis() / 1e3));
    return outcome.admittedDegraded() == foreign.size()
        && outcome.total().compareTo(TOTAL_BELOW) < 0
        && outcome.ownExact()
        && outcome.ownAdmitted() == Math.min(StuckScenario.LIMIT, outcome.own().size())
        && outcome.enforced().certainty() == Certainty.EXACT;
  }

  private static Histogram times(List<Timed> answers) {
    Histogram nanos = new Histogram(3);
    answers.forEach(timed -> nanos.recordValue(timed.took().toNanos()));
    return nanos;
  }

  private static String millis(long nanos) {
    return "%.1f".formatted(nanos / 1e6);
  }
}
