package io.ringfence.chaos;

import io.ringfence.chaos.FloodScenario.Memory;
import io.ringfence.chaos.FloodScenario.Outcome;
import io.ringfence.chaos.FloodScenario.Size;
import io.ringfence.chaos.cluster.Cluster;
import io.ringfence.chaos.cluster.ProcessMemory;
import io.ringfence.chaos.load.Ledger;
import io.ringfence.chaos.wire.Certainty;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Far more keys than a table holds, each used once. */
@Command(
    name = "flood",
    description = "Floods one node, then a cluster, with keys that are used once.",
    mixinStandardHelpOptions = true)
final class FloodRun implements Callable<Integer> {
  @Mixin private final ClusterOptions options = new ClusterOptions();

  @Option(
      names = "--keys",
      defaultValue = "1000000",
      description = "Keys that are used once, a multiple of 10 (default: ${DEFAULT-VALUE}).")
  private int keys;

  @Option(
      names = "--bound",
      defaultValue = "100000",
      description = "bounds.keys of each node (default: ${DEFAULT-VALUE}).")
  private int bound;

  @Option(
      names = "--unit",
      defaultValue = "120",
      description =
          "Seconds after which a one-shot key is as good as new (default: ${DEFAULT-VALUE}).")
  private int unitSeconds;

  @Override
  public Integer call() throws IOException {
    Table table =
        new Table(
            "nodes",
            "checks",
            "checks/s",
            "most keys of a node",
            "admitted by their owner",
            "admitted by policy",
            "refused",
            "live heap MiB before, halfway, flooded, after",
            "resident MiB, likewise",
            "empty after",
            "wrong");
    boolean right = row(table, options.names().subList(0, 1));
    if (options.nodes > 1) {
      right &= row(table, options.names());
    }
    System.out.println(
        "%,d one-shot keys against bounds.keys %,d, %d s until a key is as good as new\n"
            .formatted(keys, bound, unitSeconds));
    System.out.print(table);
    return right ? 0 : 1;
  }

  private boolean row(Table table, List<String> names) throws IOException {
    Size size = new Size(keys, bound, Duration.ofSeconds(unitSeconds));
    try (Cluster cluster =
        options
            .cluster("flood", FloodScenario.config(size), FloodScenario.rules(size), names)
            .startInTurn()) {
      cluster.awaitWholeView();
      Outcome outcome = new FloodScenario(cluster, names, size).run();
      outcome.problems().stream().limit(5).forEach(System.err::println);
      Ledger ledger = outcome.ledger();
      long byOwner = ledger.answered(Certainty.EXACT);
      table.row(
          names.size(),
          ledger.answered(),
          "%,.0f".formatted(ledger.answered() / (ledger.elapsed().toNanos() / 1e9)),
          outcome.tables().mostKeys(),
          byOwner,
          ledger.answered(200) - byOwner,
          ledger.answered() - ledger.answered(200),
          mebibytes(outcome.memory(), true),
          mebibytes(outcome.memory(), false),
          "%.0f s".formatted(outcome.tables().untilEmpty().toMillis() / 1e3),
          outcome.problems().size());
      return outcome.problems().isEmpty();
    }
  }

  private static String mebibytes(Memory memory, boolean live) {
    return Stream.of(memory.before(), memory.halfway(), memory.flooded(), memory.after())
        .map(each -> "%.0f".formatted(bytes(each, live) / (double) (1 << 20)))
        .reduce((left, right) -> left + ", " + right)
        .orElse("");
  }

  private static long bytes(ProcessMemory memory, boolean live) {
    return live ? memory.liveBytes() : memory.residentBytes();
  }
}
