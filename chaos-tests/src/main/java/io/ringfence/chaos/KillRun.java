package io.ringfence.chaos;

import io.ringfence.chaos.cluster.Cluster;
import io.ringfence.chaos.load.Ledger;
import io.ringfence.chaos.load.Tally;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** One of three nodes dies by kill -9 while sixty connections ask for its keys and others. */
@Command(
    name = "kill",
    description = "Kills n2 under load and prints what that cost, in time and in admissions.",
    mixinStandardHelpOptions = true)
final class KillRun implements Callable<Integer> {
  private static final String CONFIG = "forward: {deadline: 100ms}\n";
  private static final String ROUTE = "GET /kill";

  @Mixin private final ClusterOptions options = new ClusterOptions();

  @Option(names = "--keys", defaultValue = "500", description = "Default: ${DEFAULT-VALUE}.")
  private int keys;

  @Option(names = "--limit", defaultValue = "50", description = "Default: ${DEFAULT-VALUE}.")
  private int limit;

  @Option(names = "--connections", defaultValue = "60", description = "Default: ${DEFAULT-VALUE}.")
  private int connections;

  @Option(names = "--trials", defaultValue = "3", description = "Default: ${DEFAULT-VALUE}.")
  private int trials;

  @Override
  public Integer call() throws IOException {
    options.requireThreeNodes();
    Table table =
        new Table(
            "trial",
            "new view after",
            "p50 ms",
            "p99.9 ms",
            "worst ms",
            "answers",
            "by policy",
            "lost with the node",
            "most admitted of a dead node's key",
            "bound",
            "keys off");
    boolean right = true;
    for (int trial = 1; trial <= trials; trial++) {
      right &= run(trial, table);
    }
    System.out.println(
        "3 nodes, %d connections over all of them, %d keys, limit %d an hour; times are those of"
                .formatted(connections, keys, limit)
            + " checks answered after the kill\n");
    System.out.print(table);
    return right ? 0 : 1;
  }

  private boolean run(int trial, Table table) throws IOException {
    String rules =
        "rules:\n  - {name: kill, match: {route: \"%s\"}, by: client, algorithm: fixed-window, "
                .formatted(ROUTE)
            + "limit: "
            + limit
            + ", window: 1h}\n";
    try (Cluster cluster = options.cluster("kill", CONFIG, rules).startInTurn()) {
      cluster.awaitWholeView();
      KillScenario scenario = new KillScenario(cluster, ROUTE, limit, keys);
      KillScenario.Outcome outcome = scenario.run(connections);
      Ledger ledger = outcome.ledger();
      List<String> orphans = scenario.orphans();
      long most =
          orphans.stream()
              .flatMap(key -> ledger.tallies(key).stream())
              .mapToLong(Tally::admitted)
              .max()
              .orElse(0);
      table.row(
          trial,
          millis(outcome.untilView()) + " ms",
          millis(ledger.took(50)),
          millis(ledger.took(99.9)),
          millis(ledger.took(100)),
          ledger.answered(),
          ledger.byPolicy(),
          ledger.lost(),
          most,
          scenario.bound(),
          outcome.problems().size());
      outcome.problems().stream().limit(5).forEach(System.err::println);
      return outcome.problems().isEmpty();
    }
  }

  private static String millis(Duration duration) {
    return "%.1f".formatted(duration.toNanos() / 1e6);
  }
}
