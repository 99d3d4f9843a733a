package io.ringfence.chaos;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.chaos.cluster.Cluster;
import io.ringfence.chaos.load.Hiccups;
import io.ringfence.chaos.wire.Certainty;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * An owner and the backup of its keys hang: their sockets stay open, nothing answers. Without a
 * breaker 200 checks would wait ten seconds.
 */
@Tag("processes")
class StuckOwnerTest {
  private static final int CHECKS = 200;
  private static final Duration TOTAL = Duration.ofSeconds(2);
  private static final Duration GRACE = Duration.ofSeconds(1);

  @Test
  void C27_anOwnerThatHangsCostsCallersAlmostNothing() {
    try (Cluster cluster =
            Trio.of("stuck", StuckScenario.CONFIG, StuckScenario.RULES).startInTurn();
        Hiccups hiccups = Hiccups.start()) {
      cluster.awaitWholeView();
      StuckScenario.Outcome outcome = new StuckScenario(cluster, 1).run(CHECKS);
      Trio.measured("200 checks for keys of an owner that hangs", outcome.total());
      Trio.measured("SIGCONT, enforced again after", outcome.untilEnforced());
      Trio.measured("worst hiccup of the machine meanwhile", hiccups.worst());
      Duration grace = GRACE.plus(hiccups.grace());
      assertAll(
          () -> assertEquals(CHECKS, outcome.admittedDegraded(), outcome.foreign()::toString),
          () -> assertWithin(TOTAL.plus(grace), outcome.total()),
          () -> assertTrue(outcome.ownExact(), outcome.own()::toString),
          () -> assertEquals(StuckScenario.LIMIT, outcome.ownAdmitted()),
          () -> assertEquals(Certainty.EXACT, outcome.enforced().certainty()),
          () -> assertWithin(StuckScenario.PROBE.plus(grace), outcome.untilEnforced()));
      cluster.awaitWholeView();
      for (String name : Trio.NAMES) {
        assertTrue(cluster.node(name).isAlive(), name);
      }
    }
  }

  private static void assertWithin(Duration allowed, Duration took) {
    assertTrue(took.compareTo(allowed) <= 0, () -> took + ", not " + allowed);
  }
}
