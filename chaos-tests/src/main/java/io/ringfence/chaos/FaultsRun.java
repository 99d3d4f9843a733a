package io.ringfence.chaos;

import io.ringfence.chaos.cluster.Cluster;
import io.ringfence.chaos.cluster.Site;
import io.ringfence.chaos.faults.Fault;
import io.ringfence.chaos.faults.Faults;
import io.ringfence.chaos.faults.Outcome;
import io.ringfence.chaos.faults.Results;
import io.ringfence.chaos.faults.Row;
import io.ringfence.chaos.faults.Stage;
import io.ringfence.chaos.faults.Timings;
import io.ringfence.chaos.faults.Trial;
import io.ringfence.chaos.faults.TrialSettings;
import io.ringfence.chaos.netns.Fabric;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Each fault in the middle of a window, and one table of what was admitted. */
@Command(
    name = "faults",
    description = {
      "Kills, stops, restarts and cuts off nodes in the middle of a window under a known load, and"
          + " prints a table of what was admitted against what may be.",
      "Results are lines of a file that is added to; the table is made of the whole file. So a long"
          + " run can be split: --trials 50, then --from-trial 51 --trials 50. --trials 0 prints"
          + " the table alone."
    },
    mixinStandardHelpOptions = true)
final class FaultsRun implements Callable<Integer> {
  private static final String CONFIG = "forward: {deadline: %dms}\n";
  private static final String NO_RULES =
      "rules:\n  - {name: none, match: {route: /none}, limit: 1, window: 1h}\n";
  private static final int TRIALS_OF_A_CLUSTER = 25; // then a new one, as old counters pile up

  @Mixin private final ClusterOptions options = new ClusterOptions();

  @Option(
      names = "--only",
      split = ",",
      description =
          "Which faults: kill, stop, rolling, join, drain, restart-all, one-way, link, split; a"
              + " word stands for all that begin with it, such as kill for kill-sync. Default:"
              + " all.")
  private List<String> only = List.of("");

  @Option(
      names = "--trials",
      defaultValue = "1",
      description = "Of each. Default: ${DEFAULT-VALUE}.")
  private int trials;

  @Option(names = "--from-trial", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}.")
  private int fromTrial;

  @Option(
      names = "--keys",
      defaultValue = "1000",
      description = "In each trial, over all policies. Default: ${DEFAULT-VALUE}.")
  private int keys;

  @Option(names = "--limit", defaultValue = "10", description = "Default: ${DEFAULT-VALUE}.")
  private int limit;

  @Option(names = "--clients", defaultValue = "24", description = "Default: ${DEFAULT-VALUE}.")
  private int clients;

  @Option(
      names = "--rate",
      defaultValue = "3000",
      description = "Offers a second at most. Default: ${DEFAULT-VALUE}.")
  private double rate;

  @Option(names = "--seed", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--results",
      defaultValue = "target/chaos/faults.jsonl",
      description = "Default: ${DEFAULT-VALUE}.")
  private Path results = Path.of("target/chaos/faults.jsonl");

  @Option(
      names = "--deadline",
      defaultValue = "500",
      description =
          "forward.deadline in ms; with --config, what your file says, as the next two are."
              + " Default: ${DEFAULT-VALUE}.")
  private long deadlineMillis;

  @Option(
      names = "--lag",
      defaultValue = "110",
      description = "replication.max_lag and interval together, in ms. Default: ${DEFAULT-VALUE}.")
  private long lagMillis;

  @Option(
      names = "--lease",
      defaultValue = "500",
      description = "view.lease in ms. Default: ${DEFAULT-VALUE}.")
  private long leaseMillis;

  @Override
  public Integer call() throws IOException {
    List<Fault> chosen = Faults.all().stream().filter(this::isChosen).toList();
    if (chosen.isEmpty()) {
      throw new IllegalStateException("no fault begins with any of " + only);
    }
    Results written = new Results(results);
    for (Fault fault : chosen) {
      run(fault, written);
    }
    Table table = new Table(Row.HEADS.toArray(String[]::new));
    written.rows().forEach(row -> table.row(row.cells().toArray()));
    System.out.print(table);
    return written.allRight() ? 0 : 1;
  }

  private boolean isChosen(Fault fault) {
    return only.stream().anyMatch(fault.name()::startsWith);
  }

  private void run(Fault fault, Results written) throws IOException {
    if (fault.cutsLinks() && Fabric.missing().isPresent()) {
      System.err.println("SKIPPED " + fault.name() + ": " + Fabric.missing().get());
      return;
    }
    int end = fromTrial + trials;
    for (int trial = fromTrial; trial < end; ) {
      int until = Math.min(end, trial + TRIALS_OF_A_CLUSTER);
      trial = runOnOneCluster(fault, trial, until, written);
    }
  }

  /** Goes on until that trial, or until one leaves counters lost or breaks; returns the next. */
  private int runOnOneCluster(Fault fault, int from, int until, Results written)
      throws IOException {
    int trial = from;
    try (Stage stage = stage(fault)) {
      Trial.prepare(stage, fault);
      boolean clean = true;
      while (clean && trial < until) {
        List<Outcome> outcomes = new Trial(stage, fault, settings(), trial, seed).run();
        trial++;
        written.add(outcomes);
        outcomes.forEach(outcome -> System.err.println(outcome.line(seed)));
        clean =
            !fault.losesCounters()
                && outcomes.stream().allMatch(one -> one.right() && !one.disturbed());
      }
    } catch (IllegalStateException broken) {
      Outcome outcome = Outcome.broken(fault, trial, String.valueOf(broken.getMessage()));
      written.add(List.of(outcome));
      System.err.println(outcome.line(seed));
      trial++;
    }
    return trial;
  }

  private TrialSettings settings() {
    Timings times =
        new Timings(
            Duration.ofMillis(deadlineMillis),
            Duration.ofMillis(lagMillis),
            Duration.ofMillis(leaseMillis));
    return new TrialSettings(keys, limit, clients, rate, times);
  }

  private Stage stage(Fault fault) throws IOException {
    List<String> names = new ArrayList<>(fault.nodes());
    names.addAll(fault.spares());
    String config = CONFIG.formatted(deadlineMillis);
    @Nullable Fabric fabric = fault.cutsLinks() ? Fabric.of(names) : null;
    Site site = fabric == null ? Site.LOOPBACK : fabric;
    Cluster cluster = options.cluster(fault.name(), config, NO_RULES, names, site);
    return new Stage(cluster, fabric);
  }
}
