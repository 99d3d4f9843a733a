package io.ringfence.chaos.faults;

import io.ringfence.chaos.cluster.Cluster;
import io.ringfence.chaos.cluster.NodeProcess;
import io.ringfence.chaos.load.Hiccups;
import io.ringfence.chaos.wire.CheckRequest;
import io.ringfence.chaos.wire.MachineClock;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * A fourth node joins three that hold a crowd of live counters, and leaves again. Every counter has
 * used 2 of 4 before. After the join each must admit 1 more, after the drain 1 more, and then
 * nothing: whatever was lost on the way would be denied too early or admitted too often. Meanwhile
 * a few clients ask for keys of all slots without a pause; the longest that one of them waits is
 * the longest that any slot was closed, and what the machine took.
 */
public final class CrowdMoves {
  private static final List<String> BEFORE = Nodes.first(3);
  private static final List<String> WITH_NEWCOMER = Nodes.first(4);
  private static final String NEWCOMER = "n4";
  private static final int LIMIT = 4;
  private static final int USED = 2;
  private static final int ASKERS = 6;
  private static final int ASKED_KEYS = 5_000; // more than there are slots
  private static final String ROUTE = "GET /crowd";
  private static final String ASKED_ROUTE = "GET /asked";

  private final Stage stage;
  private final Crowd crowd;
  private final int keys;

  /**
   * What a move came to.
   *
   * @param took from the start of the joiner's process to the settled view, or from SIGTERM to the
   *     end of the process
   * @param wrong counters that did not admit exactly one more, or, at the end, that admitted more
   * @param failed checks of counters and of the clients beside that no owner answered
   * @param asked checks of the clients beside
   * @param worst the longest that one of them waited
   * @param hiccup the machine's worst delay meanwhile
   * @param liveBytes of the largest heap of a node when the move was over
   */
  public record Outcome(
      String move,
      Duration took,
      long wrong,
      long failed,
      int asked,
      Duration worst,
      Duration hiccup,
      long liveBytes) {}

  private record Meanwhile(Duration took, Askers.Seen seen, Duration hiccup) {}

  /**
   * For nodes that do not run yet.
   *
   * @param keys how many counters, from 1
   */
  public CrowdMoves(Stage stage, int keys) {
    this.stage = stage;
    this.keys = keys;
    this.crowd = new Crowd(ROUTE, keys);
  }

  /** The names of all nodes that take part. */
  public static List<String> nodes() {
    return WITH_NEWCOMER;
  }

  /** The rules that the nodes must start with. */
  public static String rules() {
    Policy policy = Policy.closed("async", "fresh");
    long seconds = Window.over(0.5, MachineClock.epochMillis()).seconds();
    return "rules:\n"
        + policy.yaml("crowd", ROUTE, LIMIT, seconds)
        + policy.yaml("asked", ASKED_ROUTE, 1_000_000_000, seconds);
  }

  /**
   * Runs both.
   *
   * @param told is given a line now and then
   */
  public List<Outcome> run(Consumer<String> told) {
    stage.start(BEFORE);
    Crowd.Count filled = crowd.checkAll(http(BEFORE), USED);
    if (filled.of(Check.Reply.ADMITTED) < keys) {
      throw new IllegalStateException(
          "counters that did not admit " + USED + " at first: " + filled);
    }
    told.accept(keys + " counters filled, largest live heap " + liveBytes(BEFORE) + " bytes");
    Meanwhile join =
        meanwhile(
            () -> {
              stage.start(NEWCOMER);
              stage.awaitView(WITH_NEWCOMER);
            });
    long heapJoined = liveBytes(WITH_NEWCOMER);
    Crowd.Count third = crowd.checkAll(http(WITH_NEWCOMER), 1);
    told.accept("joined: " + third);
    Meanwhile drain = meanwhile(this::drain);
    long heapDrained = liveBytes(BEFORE);
    Crowd.Count fourth = crowd.checkAll(http(BEFORE), 1);
    Crowd.Count fifth = crowd.checkAll(http(BEFORE), 1);
    told.accept("drained: " + fourth + ", then " + fifth);
    long wrongDrained = wrong(fourth) + fifth.of(Check.Reply.ADMITTED);
    long failedDrained = failed(fourth) + failed(fifth);
    return List.of(
        outcome("a node joins three", join, wrong(third), failed(third), heapJoined),
        outcome("it leaves", drain, wrongDrained, failedDrained, heapDrained));
  }

  private static long wrong(Crowd.Count count) {
    return count.of(Check.Reply.DENIED);
  }

  private static long failed(Crowd.Count count) {
    return count.of(Check.Reply.NONE)
        + count.of(Check.Reply.ADMITTED_BY_POLICY)
        + count.of(Check.Reply.REFUSED_BY_POLICY);
  }

  private static Outcome outcome(
      String move, Meanwhile meanwhile, long wrong, long failed, long liveBytes) {
    return new Outcome(
        move,
        meanwhile.took(),
        wrong,
        failed + meanwhile.seen().failed(),
        meanwhile.seen().asked(),
        meanwhile.seen().worst(),
        meanwhile.hiccup(),
        liveBytes);
  }

  private void drain() {
    NodeProcess leaving = stage.cluster().node(NEWCOMER);
    stage.doors().shut(NEWCOMER);
    leaving.terminate();
    int code = leaving.awaitExit(Cluster.PATIENCE);
    if (code != 0) {
      throw new IllegalStateException(NEWCOMER + " ended with " + code);
    }
    stage.awaitView(BEFORE);
  }

  private Meanwhile meanwhile(Runnable move) {
    List<CheckRequest> requests =
        IntStream.range(0, ASKED_KEYS)
            .mapToObj(i -> new CheckRequest("a" + i, ASKED_ROUTE))
            .toList();
    Map<String, InetSocketAddress> nodes = new TreeMap<>();
    BEFORE.forEach(name -> nodes.put(name, stage.cluster().node(name).http()));
    try (Hiccups hiccups = Hiccups.start();
        Askers askers = Askers.start(requests, nodes, ASKERS)) {
      long begunNanos = MachineClock.nanos();
      move.run();
      Duration took = Duration.ofNanos(MachineClock.nanos() - begunNanos);
      askers.stop();
      Incident whole = new Incident(begunNanos, begunNanos, 0);
      Askers.Seen seen = askers.seen(whole, Target.calm(Set.of()));
      return new Meanwhile(took, seen, hiccups.worst());
    }
  }

  private List<InetSocketAddress> http(List<String> names) {
    return stage.cluster().http(names.toArray(String[]::new));
  }

  private long liveBytes(List<String> names) {
    return names.stream()
        .mapToLong(name -> stage.cluster().node(name).memory().liveBytes())
        .max()
        .orElse(0);
  }
}
