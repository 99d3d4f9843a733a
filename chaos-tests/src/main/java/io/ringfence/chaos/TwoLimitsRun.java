package io.ringfence.chaos;

import io.ringfence.chaos.TwoLimitsScenario.Outcome;
import io.ringfence.chaos.TwoLimitsScenario.Size;
import io.ringfence.chaos.cluster.Cluster;
import io.ringfence.chaos.load.Ledger;
import io.ringfence.chaos.wire.Certainty;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Every check meets two limits that two nodes own. */
@Command(
    name = "two-limits",
    description = "Counts what limits of two owners in one decision admit and falsely deny.",
    mixinStandardHelpOptions = true)
final class TwoLimitsRun implements Callable<Integer> {
  @Mixin private final ClusterOptions options = new ClusterOptions();

  @Option(
      names = "--addresses",
      defaultValue = "20",
      description = "Addresses that ten clients share each (default: ${DEFAULT-VALUE}).")
  private int addresses;

  @Option(
      names = "--checks-below",
      defaultValue = "1500",
      description = "Checks of a client below both limits (default: ${DEFAULT-VALUE}).")
  private int checksBelow;

  @Option(
      names = "--others",
      defaultValue = "1000",
      description = "Clients beside those that hammer (default: ${DEFAULT-VALUE}).")
  private int others;

  @Option(names = "--connections", defaultValue = "60", description = "Default: ${DEFAULT-VALUE}.")
  private int connections;

  @Override
  public Integer call() throws IOException {
    options.requireThreeNodes();
    Size size = new Size(connections, addresses, checksBelow, others);
    Table table =
        new Table(
            "load", "checks", "admitted", "wrong", "not exact", "checks/s", "p50 ms", "p99 ms");
    boolean right = true;
    try (Cluster cluster =
        options
            .cluster("two-limits", TwoLimitsScenario.CONFIG, TwoLimitsScenario.rules(size))
            .startInTurn()) {
      cluster.awaitWholeView();
      TwoLimitsScenario scenario = new TwoLimitsScenario(cluster, size);
      right &= row(table, "both limits denying", scenario.contended());
      right &= row(table, "below both limits", scenario.below());
      right &= row(table, "spent clients hammering", scenario.hammered());
    }
    System.out.println(
        "3 nodes, %d connections over all of them; no client has the owner of its address\n"
            .formatted(connections));
    System.out.print(table);
    return right ? 0 : 1;
  }

  private static boolean row(Table table, String load, Outcome outcome) {
    Ledger ledger = outcome.ledger();
    outcome.problems().stream().limit(5).forEach(System.err::println);
    table.row(
        load,
        ledger.answered(),
        ledger.answered(200),
        outcome.problems().size(),
        ledger.answered() - ledger.answered(Certainty.EXACT),
        "%,.0f".formatted(ledger.answered() / (ledger.elapsed().toNanos() / 1e9)),
        "%.1f".formatted(ledger.took(50).toNanos() / 1e6),
        "%.1f".formatted(ledger.took(99).toNanos() / 1e6));
    return outcome.problems().isEmpty();
  }
}
