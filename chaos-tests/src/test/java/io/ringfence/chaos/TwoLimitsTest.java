package io.ringfence.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.chaos.TwoLimitsScenario.Outcome;
import io.ringfence.chaos.TwoLimitsScenario.Size;
import io.ringfence.chaos.cluster.Cluster;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two limits of two owners are one decision, whatever sixty connections do at once. */
@Tag("processes")
class TwoLimitsTest {
  private static final Size SIZE = new Size(60, 3, 240, 60);

  private static Cluster cluster;
  private static TwoLimitsScenario scenario;

  @BeforeAll
  static void start() {
    cluster =
        Trio.of("two-limits", TwoLimitsScenario.CONFIG, TwoLimitsScenario.rules(SIZE))
            .startInTurn();
    cluster.awaitWholeView();
    scenario = new TwoLimitsScenario(cluster, SIZE);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static void assertRight(String what, Outcome outcome, int checks) {
    Trio.measured(what, outcome.ledger().summary());
    assertEquals(List.of(), outcome.problems());
    assertEquals(checks, outcome.ledger().answered());
    assertTrue(outcome.ledger().answered(200) > 0);
  }

  @Test
  void eachOfTwoLimitsAdmitsExactlyItsLimitAndGetsBackWhatTheOtherDenied() {
    assertRight("both limits denying", scenario.contended(), 60 * 60);
  }

  @Test
  void nothingIsDeniedBelowBothLimits() {
    assertRight("below both limits", scenario.below(), 30 * 240);
  }

  @Test
  void clientsThatHammerTheirSpentLimitsCostAGlobalLimitNothing() {
    assertRight("spent clients hammering", scenario.hammered(), 2 * 60 * 30);
  }
}
