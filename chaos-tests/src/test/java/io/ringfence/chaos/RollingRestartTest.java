package io.ringfence.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ringfence.chaos.cluster.Cluster;
import io.ringfence.chaos.cluster.NodeProcess;
import io.ringfence.chaos.wire.Certainty;
import io.ringfence.chaos.wire.CheckAnswer;
import io.ringfence.chaos.wire.CheckRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * All three nodes are restarted, one after another, in the middle of a window and while others are
 * asked: no check fails, and every counter knows what was used, also those that nobody touched
 * meanwhile.
 */
@Tag("processes")
class RollingRestartTest {
  private static final String CONFIG = "forward: {deadline: 1s}\n" + Trio.LONG_LEASE;
  private static final String RULES =
      """
      rules:
        - {name: roll, match: {route: "GET /roll"}, by: client, algorithm: fixed-window, limit: 10,
           window: 1h}
        - {name: busy, match: {route: "GET /busy"}, by: client, algorithm: fixed-window,
           limit: 1000000, window: 1h}
      """;
  private static final int KEYS = 60;
  private static final int USED = 4;
  private static final int LEFT = 6;

  @Test
  void E1_everyKeyHasExactlyWhatItHadLeft() {
    try (Cluster cluster = Trio.of("rolling", CONFIG, RULES).startInTurn()) {
      cluster.awaitWholeView();
      assertAdmitted(cluster, USED, USED);
      for (String name : Trio.NAMES) {
        restart(cluster, name);
      }
      assertAdmitted(cluster, LEFT + 3, LEFT);
    }
  }

  private static void restart(Cluster cluster, String name) {
    List<String> others = Trio.NAMES.stream().filter(other -> !other.equals(name)).toList();
    try (Busy busy = new Busy(cluster, others)) {
      NodeProcess leaving = cluster.node(name);
      leaving.terminate();
      assertEquals(0, leaving.awaitExit(Cluster.PATIENCE), leaving::log);
      cluster.awaitView(others.get(0), others.get(1));
      cluster.start(name);
      cluster.awaitWholeView();
      busy.stop();
      assertEquals(List.of(), busy.failures());
      Trio.measured("checks while " + name + " was restarted", busy.checks());
    }
  }

  /** Asks for each key that often, at the nodes in turn; every answer must be exact. */
  private static void assertAdmitted(Cluster cluster, int times, int expected) {
    for (int key = 0; key < KEYS; key++) {
      CheckRequest request = new CheckRequest("roll-" + key, "GET /roll");
      int admitted = 0;
      for (int i = 0; i < times; i++) {
        CheckAnswer answer = cluster.node(Trio.NAMES.get(i % 3)).check(request);
        assertEquals(Certainty.EXACT, answer.certainty(), answer::toString);
        admitted += answer.status() == 200 ? 1 : 0;
      }
      assertEquals(expected, admitted, request.key());
    }
  }

  /** Asks two nodes for keys of all owners until it is stopped. */
  private static final class Busy implements AutoCloseable {
    private static final int KEYS = 30;

    private final List<String> failures = new ArrayList<>(); // of the thread, until it has ended
    private final AtomicReference<String> thrown = new AtomicReference<>();
    private final Thread thread;
    private volatile boolean stopped;
    private volatile int checks;

    Busy(Cluster cluster, List<String> asked) {
      List<NodeProcess> nodes = asked.stream().map(cluster::node).toList();
      List<CheckRequest> requests =
          IntStream.range(0, KEYS).mapToObj(i -> new CheckRequest("b" + i, "GET /busy")).toList();
      thread = new Thread(() -> ask(nodes, requests), "busy");
      thread.setDaemon(true);
      thread.setUncaughtExceptionHandler((dead, cause) -> thrown.set(cause.toString()));
      thread.start();
    }

    private void ask(List<NodeProcess> nodes, List<CheckRequest> requests) {
      for (int i = 0; !stopped; i++) {
        CheckAnswer answer = nodes.get(i % nodes.size()).check(requests.get(i % KEYS));
        if (answer.status() != 200 || answer.certainty() != Certainty.EXACT) {
          failures.add(requests.get(i % KEYS) + ": " + answer);
        }
        checks = i + 1;
      }
    }

    void stop() {
      stopped = true;
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    int checks() {
      return checks;
    }

    /** What did not go as it should; once it is stopped. */
    List<String> failures() {
      String cause = thrown.get();
      return cause == null ? List.copyOf(failures) : List.of(cause);
    }

    @Override
    public void close() {
      stop();
    }
  }
}
