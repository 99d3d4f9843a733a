package io.ringfence.chaos;

import io.ringfence.chaos.cluster.Cluster;
import io.ringfence.chaos.cluster.ClusterPage;
import io.ringfence.chaos.wire.MachineClock;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** How long nodes take from the start of their process to the ready line. */
@Command(
    name = "start",
    description = "Starts the nodes one after another, then all at once, and prints the times.",
    mixinStandardHelpOptions = true)
final class StartRun implements Callable<Integer> {
  private static final String RULES =
      "rules:\n  - {name: all, by: client, algorithm: fixed-window, limit: 50, window: 1h}\n";

  @Mixin private final ClusterOptions options = new ClusterOptions();

  @Override
  public Integer call() throws IOException {
    Table table =
        new Table(
            "start",
            "ready after",
            "one view after the last",
            "epoch",
            "members",
            "max/mean of slots");
    try (Cluster cluster = options.cluster("start-in-turn", "{}\n", RULES)) {
      row(table, "one after another", cluster.startInTurn());
    }
    try (Cluster cluster = options.cluster("start-together", "{}\n", RULES)) {
      row(table, "all at once", cluster.startTogether());
    }
    System.out.print(table);
    return 0;
  }

  private void row(Table table, String how, Cluster cluster) {
    long allReadyNanos = MachineClock.nanos();
    ClusterPage page = cluster.awaitWholeView();
    Duration untilView = Duration.ofNanos(MachineClock.nanos() - allReadyNanos);
    String times =
        options.names().stream()
            .map(name -> name + " " + seconds(cluster.node(name).becameReadyAfter()))
            .collect(Collectors.joining(", "));
    table.row(
        how,
        times,
        seconds(untilView),
        page.epoch(),
        page.members().size(),
        "%.3f".formatted(page.maxToMeanSlots()));
  }

  private static String seconds(Duration duration) {
    return "%.2f s".formatted(duration.toMillis() / 1e3);
  }
}
