package io.ringfence.chaos;

import io.ringfence.chaos.cluster.Cluster;
import io.ringfence.chaos.faults.CrowdMoves;
import io.ringfence.chaos.faults.Stage;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A fourth node joins three that hold a million live counters, and leaves again. */
@Command(
    name = "move",
    description = "Moves a crowd of live counters to a joining node and back, and counts them.",
    mixinStandardHelpOptions = true)
final class MoveRun implements Callable<Integer> {
  private static final String CONFIG = "forward: {deadline: 5s}\nview: {lease: 2s}\n";

  @Mixin private final ClusterOptions options = new ClusterOptions();

  @Option(names = "--keys", defaultValue = "1000000", description = "Default: ${DEFAULT-VALUE}.")
  private int keys;

  @Option(
      names = "--heap",
      defaultValue = "512",
      description = "The most that a node's heap may take, in MiB. Default: ${DEFAULT-VALUE}.")
  private int heapMiB;

  @Override
  public Integer call() throws IOException {
    options.requireThreeNodes();
    List<CrowdMoves.Outcome> outcomes;
    Cluster cluster =
        new Cluster(
            options.launcher().withHeapMiB(heapMiB),
            options.files("move", CONFIG, CrowdMoves.rules()),
            CrowdMoves.nodes());
    try (Stage stage = new Stage(cluster, null)) {
      outcomes = new CrowdMoves(stage, keys).run(System.err::println);
    }
    Table table =
        new Table(
            "move",
            "counters",
            "took s",
            "counters off",
            "failed checks",
            "checks meanwhile",
            "worst pause ms",
            "machine's worst delay ms",
            "largest live heap MiB");
    for (CrowdMoves.Outcome outcome : outcomes) {
      table.row(
          outcome.move(),
          "%,d".formatted(keys),
          "%.1f".formatted(outcome.took().toMillis() / 1e3),
          outcome.wrong(),
          outcome.failed(),
          "%,d".formatted(outcome.asked()),
          "%.0f".formatted(outcome.worst().toNanos() / 1e6),
          "%.0f".formatted(outcome.hiccup().toNanos() / 1e6),
          outcome.liveBytes() >> 20);
    }
    System.out.print(table);
    boolean right = outcomes.stream().allMatch(one -> one.wrong() == 0 && one.failed() == 0);
    return right ? 0 : 1;
  }
}
