package io.ringfence.chaos;

import io.ringfence.chaos.cluster.Cluster;
import io.ringfence.chaos.cluster.NodeProcess;
import io.ringfence.chaos.cluster.ProcessMemory;
import io.ringfence.chaos.load.Ledger;
import io.ringfence.chaos.load.LimitUnderTest;
import io.ringfence.chaos.load.Load;
import io.ringfence.chaos.load.LoadPlan;
import io.ringfence.chaos.load.LoadSettings;
import io.ringfence.chaos.load.Shape;
import io.ringfence.chaos.load.Shot;
import io.ringfence.chaos.wire.Certainty;
import io.ringfence.chaos.wire.CheckAnswer;
import io.ringfence.chaos.wire.CheckRequest;
import io.ringfence.chaos.wire.MachineClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A flood of keys, each of which is used once, against tables that hold a part of them.
 *
 * <p>One rule counts all of it: a bucket of {@value #LIMIT} that gets one back in {@code unit}. A
 * one-shot key takes one and is as good as new after a unit. Before the flood some keys take all
 * they have at once, and ask for all again: they are denied for {@value #LIMIT} units, longer than
 * any run, and are asked for again throughout. In the end they are reset, and after a unit more
 * nothing is left in any table.
 *
 * <p>What is wrong comes back as sentences, none if all is right. For one thread.
 */
final class FloodScenario {
  private static final String FULL_LINE = "the table of counters is full";
  private static final String ROOM_LINE = "the table of counters has room again";

  private static final String ROUTE = "GET /flood";
  private static final long LIMIT = 100;
  private static final int DENIED_KEYS = 20;
  private static final int CHUNKS = 10;
  private static final int CONNECTIONS = 24;
  private static final int DEPTH = 16;
  private static final String KEYS = "ringfence_keys";
  private static final String FULL = "ringfence_table_full";
  private static final String OVERFLOW = "ringfence_overflow_total{bound=\"keys\"}";
  private static final LimitUnderTest BUCKET =
      new LimitUnderTest(Shape.TOKEN_BUCKET, LIMIT, Duration.ofDays(1));

  private final Cluster cluster;
  private final List<NodeProcess> nodes;
  private final Size size;
  private final List<CheckRequest> denied =
      IntStream.range(0, DENIED_KEYS)
          .mapToObj(i -> new CheckRequest("denied-" + i, ROUTE).costing(LIMIT))
          .toList();
  private final List<String> problems = new ArrayList<>();
  private final Set<String> alarmed = new HashSet<>();
  private long mostKeys;

  /**
   * How much of it.
   *
   * @param oneShots how many keys are used once, a multiple of 10
   * @param bound of each node's table
   * @param unit after which a one-shot key is as good as new; whole seconds
   */
  record Size(int oneShots, int bound, Duration unit) {}

  /** What came of it. */
  record Outcome(Ledger ledger, Tables tables, Memory memory, List<String> problems) {}

  /**
   * What became of the tables.
   *
   * @param mostKeys the most counters that any node said it held
   * @param turnedAway how often a new key found no room
   * @param untilEmpty from the end of the flood until no table holds anything
   */
  record Tables(long mostKeys, long turnedAway, Duration untilEmpty) {}

  /** The largest of all nodes, at four moments. */
  record Memory(
      ProcessMemory before, ProcessMemory halfway, ProcessMemory flooded, ProcessMemory after) {}

  /**
   * Asks nothing yet.
   *
   * @param names of the nodes, all in one view, with the node file and the rules of that size
   */
  FloodScenario(Cluster cluster, List<String> names, Size size) {
    this.cluster = cluster;
    this.nodes = names.stream().map(cluster::node).toList();
    this.size = size;
  }

  static String config(Size size) {
    return "forward: {deadline: 20s}\nview: {lease: 5s}\nbounds: {keys: %d}\n"
        .formatted(size.bound());
  }

  static String rules(Size size) {
    return "rules:\n  - {name: flood, match: {route: \"%s\"}, by: client, algorithm: token-bucket, "
            .formatted(ROUTE)
        + "limit: %d, window: %ds}\n".formatted(LIMIT, LIMIT * size.unit().toSeconds());
  }

  /** Floods, and waits until nothing is left of it. */
  Outcome run() {
    for (CheckRequest request : denied) {
      expect("the first check of " + request.key(), 200, nodes.get(0).check(request).status());
    }
    askDenied();
    ProcessMemory before = memory();
    Ledger ledger = new Ledger(BUCKET);
    ProcessMemory halfway = before;
    for (int chunk = 0; chunk < CHUNKS; chunk++) {
      if (chunk == CHUNKS / 2) {
        halfway = memory();
      }
      flood(chunk, ledger);
      lookAtTables();
      askDenied();
    }
    ProcessMemory flooded = memory();
    long turnedAway = nodes.stream().mapToLong(node -> (long) node.metric(OVERFLOW)).sum();
    Duration untilEmpty = awaitEmpty();
    lookAtAlarms();
    return new Outcome(
        ledger,
        new Tables(mostKeys, turnedAway, untilEmpty),
        new Memory(before, halfway, flooded, memory()),
        List.copyOf(problems));
  }

  private void flood(int chunk, Ledger ledger) {
    int count = size.oneShots() / CHUNKS;
    List<Shot> shots =
        IntStream.range(0, count)
            .mapToObj(i -> new CheckRequest("once-" + chunk + "-" + i, ROUTE))
            .map(request -> Shot.of("once", request))
            .toList();
    LoadSettings calm = LoadSettings.calm(CONNECTIONS);
    Load.run(
        nodes.stream().map(NodeProcess::http).toList(),
        LoadPlan.each(shots, 1, 1),
        new LoadSettings(CONNECTIONS, DEPTH, calm.patience()),
        ledger);
  }

  private void askDenied() {
    for (CheckRequest request : denied) {
      for (NodeProcess node : nodes) {
        CheckAnswer answer = node.check(request);
        if (answer.status() != 429 || answer.certainty() != Certainty.EXACT) {
          problems.add(request.key() + " at " + node.name() + ": " + answer);
        }
      }
    }
  }

  private void lookAtTables() {
    for (NodeProcess node : nodes) {
      long keys = (long) node.metric(KEYS);
      mostKeys = Math.max(mostKeys, keys);
      if (keys > size.bound()) {
        problems.add(node.name() + " holds " + keys + " of " + size.bound());
      }
      if (node.metric(FULL) == 1) {
        alarmed.add(node.name());
      }
    }
  }

  /** Every node has told that it was full, by its gauge and by a line a change in its log. */
  private void lookAtAlarms() {
    for (NodeProcess node : nodes) {
      if (!alarmed.contains(node.name())) {
        problems.add(node.name() + " did not show " + FULL);
      }
      long full = lines(node, FULL_LINE);
      if (full == 0) {
        problems.add(node.name() + " has no line about its full table");
      }
      expect(
          "lines of a full table and of room again at " + node.name(),
          full,
          lines(node, ROOM_LINE));
    }
  }

  private static long lines(NodeProcess node, String text) {
    return node.log().lines().filter(line -> line.contains(text)).count();
  }

  private Duration awaitEmpty() {
    long startNanos = MachineClock.nanos();
    denied.forEach(request -> expect("a reset", 200, nodes.get(0).call(request.reset()).status()));
    cluster.await(
        "tables that are empty and no alarm",
        Cluster.PATIENCE.plus(size.unit().multipliedBy(2)),
        () -> nodes.stream().allMatch(node -> node.metric(KEYS) == 0 && node.metric(FULL) == 0));
    return Duration.ofNanos(MachineClock.nanos() - startNanos);
  }

  /** The largest of all nodes, in both respects. */
  private ProcessMemory memory() {
    List<ProcessMemory> all = nodes.stream().map(NodeProcess::memory).toList();
    return new ProcessMemory(
        all.stream().mapToLong(ProcessMemory::liveBytes).max().orElse(0),
        all.stream().mapToLong(ProcessMemory::residentBytes).max().orElse(0));
  }

  private void expect(String what, long expected, long actual) {
    if (expected != actual) {
      problems.add(what + ": " + actual + ", not " + expected);
    }
  }
}
