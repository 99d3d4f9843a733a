package io.ringfence.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.chaos.cluster.Cluster;
import io.ringfence.chaos.cluster.NodeProcess;
import io.ringfence.chaos.load.Hiccups;
import io.ringfence.chaos.wire.Certainty;
import io.ringfence.chaos.wire.CheckAnswer;
import io.ringfence.chaos.wire.CheckRequest;
import io.ringfence.chaos.wire.MachineClock;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * One of three nodes is frozen or asked to leave, and comes back under its name. Whatever happens
 * to a node, a check at another is answered by 200, 429 or 503 within its deadline and a second,
 * and what the machine itself took from it.
 */
@Tag("processes")
class FaultsTest {
  private static final Duration DEADLINE = Duration.ofSeconds(1);
  private static final Duration ANSWERED_WITHIN = DEADLINE.plusSeconds(1);
  private static final String RULES =
      """
      rules:
        - {name: local, match: {route: "GET /local"}, by: client, algorithm: fixed-window,
           limit: 50, window: 1h}
        - {name: open, match: {route: "GET /open"}, by: client, algorithm: fixed-window, limit: 50,
           window: 1h, on_unavailable: open}
        - {name: closed, match: {route: "GET /closed"}, by: client, algorithm: fixed-window,
           limit: 50, window: 1h, on_unavailable: closed}
        - {name: woken, match: {route: "GET /woken"}, by: client, algorithm: fixed-window,
           limit: 50, window: 1h}
      """;

  private static Cluster cluster;

  private Hiccups hiccups;

  @BeforeAll
  static void make() {
    String config =
        "forward: {deadline: %dms}\nview: {lease: 1s, hold_down: 5s}\n"
            .formatted(DEADLINE.toMillis());
    cluster = Trio.of("faults", config, RULES).startInTurn();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @BeforeEach
  void allAreBack() {
    for (String name : Trio.NAMES) {
      if (!cluster.node(name).isAlive()) {
        cluster.start(name);
      }
    }
    cluster.awaitWholeView();
    hiccups = Hiccups.start();
  }

  @AfterEach
  void tellTheMachinesShare() {
    Trio.measured("worst hiccup of the machine meanwhile", hiccups.worst());
    hiccups.close();
  }

  private static boolean decided(CheckAnswer answer) {
    return answer.certainty() != Certainty.DEGRADED && answer.certainty() != Certainty.CLOSED;
  }

  private void assertInTime(String what, Duration took) {
    Duration allowed = ANSWERED_WITHIN.plus(hiccups.grace());
    assertTrue(took.compareTo(allowed) <= 0, () -> took + ", not " + allowed + ": " + what);
  }

  @Test
  void aFrozenNodesKeysMoveAndItDecidesNothingWhenItGoesOn() {
    List<String> keys =
        Stream.iterate(0, i -> i + 1)
            .map(i -> "frozen-" + i)
            .filter(key -> cluster.ownerOf(new CheckRequest(key, "GET /local"), "n1").equals("n2"))
            .limit(8)
            .toList();
    cluster.node("n2").freeze();
    Map<Certainty, Integer> certainties = new EnumMap<>(Certainty.class);
    Duration worst = Duration.ZERO;
    for (String key : keys) {
      for (String route : List.of("GET /local", "GET /open", "GET /closed")) {
        for (String asked : List.of("n1", "n3")) {
          long sentNanos = MachineClock.nanos();
          CheckAnswer answer = cluster.node(asked).check(new CheckRequest(key, route));
          Duration took = Duration.ofNanos(MachineClock.nanos() - sentNanos);
          assertInTime(key + " " + route + " at " + asked, took);
          worst = took.compareTo(worst) > 0 ? took : worst;
          assertByPolicy(route, answer);
          certainties.merge(answer.certainty(), 1, Integer::sum);
        }
      }
    }
    Trio.measured("frozen node, worst answer", worst + ", " + certainties);
    for (String key : keys) {
      cluster.await(
          "another owner of " + key,
          Cluster.PATIENCE,
          () -> decided(cluster.node("n1").check(new CheckRequest(key, "GET /closed"))));
    }
    cluster.node("n2").thaw();
    for (String key : keys) {
      CheckAnswer woken = cluster.node("n2").check(new CheckRequest(key, "GET /woken"));
      assertTrue(!decided(woken) || !"n2".equals(woken.owner()), woken::toString);
    }
    cluster.awaitWholeView();
    CheckRequest back = new CheckRequest(keys.get(0), "GET /woken");
    cluster.await(
        "its answer as an owner again",
        Cluster.PATIENCE,
        () -> decided(cluster.node("n1").check(back)));
    assertEquals("n2", cluster.node("n1").check(back).owner());
  }

  /** An owner's answer is right as well: the others go on without the frozen one after a while. */
  private static void assertByPolicy(String route, CheckAnswer answer) {
    if (decided(answer)) {
      assertNotEquals("n2", answer.owner(), answer::toString);
      return;
    }
    boolean closed = route.equals("GET /closed");
    assertEquals(closed ? 503 : 200, answer.status(), answer::toString);
    assertEquals(closed ? Certainty.CLOSED : Certainty.DEGRADED, answer.certainty());
  }

  @Test
  void aNodeThatIsAskedToLeaveEndsWithZeroAndIsMissedByNobody() {
    NodeProcess leaving = cluster.node("n3");
    leaving.terminate();
    assertEquals(0, leaving.awaitExit(Cluster.PATIENCE), leaving::log);
    cluster.awaitView("n1", "n2");
    for (int i = 0; i < 20; i++) {
      CheckAnswer answer = cluster.node("n1").check(new CheckRequest("stays-" + i, "GET /local"));
      assertEquals(200, answer.status(), answer::toString);
      assertTrue(decided(answer), answer::toString);
    }
  }
}
