package io.ringfence.chaos;

import io.ringfence.chaos.cluster.Cluster;
import io.ringfence.chaos.load.Ledger;
import io.ringfence.chaos.load.LimitUnderTest;
import io.ringfence.chaos.load.Load;
import io.ringfence.chaos.load.LoadPlan;
import io.ringfence.chaos.load.LoadSettings;
import io.ringfence.chaos.load.Shape;
import io.ringfence.chaos.load.Shot;
import io.ringfence.chaos.wire.Certainty;
import io.ringfence.chaos.wire.CheckRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Every key is checked far more often than its limit admits, through all nodes at once. */
@Command(
    name = "exactness",
    description = "Counts what each key was admitted over all nodes, for each algorithm.",
    mixinStandardHelpOptions = true)
final class ExactnessRun implements Callable<Integer> {
  private static final String CONFIG = "forward: {deadline: 1s}\n";
  private static final int BURST = 30;

  @Mixin private final ClusterOptions options = new ClusterOptions();

  @Option(names = "--keys", defaultValue = "2000", description = "Default: ${DEFAULT-VALUE}.")
  private int keys;

  @Option(
      names = "--rounds",
      defaultValue = "5",
      description = "How many times " + BURST + " checks a key (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(names = "--limit", defaultValue = "50", description = "Default: ${DEFAULT-VALUE}.")
  private int limit;

  @Option(names = "--connections", defaultValue = "60", description = "Default: ${DEFAULT-VALUE}.")
  private int connections;

  @Option(
      names = "--depth",
      defaultValue = "1",
      description = "Checks on the way at once on a connection (default: ${DEFAULT-VALUE}).")
  private int depth;

  @Override
  public Integer call() throws IOException {
    List<LimitUnderTest> limits =
        Stream.of(Shape.values())
            .map(shape -> new LimitUnderTest(shape, limit, Duration.ofHours(1)))
            .toList();
    Table table =
        new Table(
            "algorithm",
            "keys",
            "checks",
            "admitted per key",
            "may be",
            "keys off",
            "wrong waits",
            "not exact",
            "checks/s",
            "p50 ms",
            "p99 ms",
            "worst ms");
    boolean right = true;
    try (Cluster cluster = options.cluster("exactness", CONFIG, rules(limits)).startInTurn()) {
      cluster.awaitWholeView();
      for (LimitUnderTest each : limits) {
        right &= run(cluster, each, table);
      }
    }
    System.out.println(
        "%d nodes, %d connections over all of them, %d checks on the way at once on each, limit %d"
                .formatted(options.nodes, connections, depth, limit)
            + " an hour\n");
    System.out.print(table);
    return right ? 0 : 1;
  }

  private boolean run(Cluster cluster, LimitUnderTest tested, Table table) {
    String name = tested.shape().configName();
    List<Shot> shots =
        IntStream.range(0, keys)
            .mapToObj(i -> Shot.of("k" + i, new CheckRequest("k" + i, "GET /" + name)))
            .toList();
    Ledger ledger = new Ledger(tested);
    LoadSettings calm = LoadSettings.calm(connections);
    Load.run(
        cluster.http(options.names().toArray(String[]::new)),
        LoadPlan.each(shots, rounds * BURST, BURST),
        new LoadSettings(connections, depth, calm.patience()),
        ledger);
    List<String> off = ledger.countProblems();
    off.stream().limit(5).forEach(System.err::println);
    ledger.waitProblems().forEach(System.err::println);
    List<Long> admitted =
        ledger.counters().stream()
            .flatMap(counter -> ledger.tallies(counter).stream())
            .map(tally -> tally.admitted())
            .sorted()
            .toList();
    table.row(
        name,
        keys,
        ledger.answered(),
        admitted.get(0) + " to " + admitted.get(admitted.size() - 1),
        limit + " to " + tested.most(ledger.elapsed()),
        off.size(),
        ledger.wrongWaits(),
        ledger.answered() - ledger.answered(Certainty.EXACT),
        "%,.0f".formatted(ledger.answered() / (ledger.elapsed().toNanos() / 1e9)),
        millis(ledger.took(50)),
        millis(ledger.took(99)),
        millis(ledger.took(100)));
    return off.isEmpty() && ledger.wrongWaits() == 0;
  }

  private static String rules(List<LimitUnderTest> limits) {
    return limits.stream()
        .map(
            each ->
                "  - {name: %1$s, match: {route: \"GET /%1$s\"}, by: client, %2$s}\n"
                    .formatted(each.shape().configName(), each.yaml()))
        .collect(Collectors.joining("", "rules:\n", ""));
  }

  private static String millis(Duration duration) {
    return "%.1f".formatted(duration.toNanos() / 1e6);
  }
}
