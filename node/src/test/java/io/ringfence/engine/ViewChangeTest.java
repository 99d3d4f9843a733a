package io.ringfence.engine;

import static io.ringfence.engine.YamlRules.rules;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.engine.message.CopyMessage;
import io.ringfence.engine.message.InventoryMessage;
import io.ringfence.membership.View;
import io.ringfence.rules.Request;
import io.ringfence.rules.RuleSet;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What happens to counters and to checks on their way when the view changes. */
class ViewChangeTest {
  private static final RuleSet RULES =
      rules(
          """
          rules:
            - {name: api, by: client, algorithm: fixed-window, limit: 10, window: 1h}
          """);

  /** A cluster of n1 and n2 that n3 is about to join, and a client that moves to n3. */
  private static final class Joining {
    final Cluster cluster = Cluster.of(RULES, "n1", "n2");
    final View next;
    final String client;

    Joining() {
      cluster.add("n3");
      next = cluster.nextView("n1", "n2", "n3");
      Cluster other = Cluster.of(RULES, "n1", "n2", "n3");
      client = other.clientOwnedBy("n3");
    }

    void install(String... nodes) {
      for (String node : nodes) {
        cluster.engine(node).install(next);
      }
    }
  }

  @Test
  void aCounterIsPassedToItsNewOwner() {
    Joining joining = new Joining();
    joining.cluster.check("n1", joining.client);
    joining.install("n1", "n2", "n3");
    joining.cluster.time.pass(Duration.ofSeconds(1));
    Verdict verdict = joining.cluster.check("n1", joining.client);
    assertEquals(Certainty.EXACT, verdict.certainty());
    assertEquals("n3", verdict.owner());
    assertEquals(8, verdict.limits().get(0).answer().remaining());
  }

  @Test
  void withoutAnInventoryTheNewOwnerWaits() {
    Joining joining = new Joining();
    joining.cluster.lose(
        (to, message) -> message instanceof InventoryMessage || message instanceof CopyMessage);
    joining.install("n1", "n2", "n3");
    joining.cluster.time.pass(Duration.ofSeconds(1));
    Verdict verdict = joining.cluster.check("n1", joining.client);
    assertEquals(Certainty.DEGRADED, verdict.certainty());
  }

  @Test
  void aViewThatEverybodySkipsLosesNothing() {
    Joining joining = new Joining();
    joining.cluster.check("n1", joining.client);
    joining.cluster.nextView("n1", "n2", "n3");
    View later = joining.cluster.nextView("n1", "n2", "n3");
    joining.cluster.install(later, "n1", "n2", "n3");
    joining.cluster.time.pass(Duration.ofSeconds(1));
    Verdict verdict = joining.cluster.check("n1", joining.client);
    assertEquals(Certainty.EXACT, verdict.certainty());
    assertEquals(8, verdict.limits().get(0).answer().remaining());
  }

  @Test
  void aCheckForALaterViewWaitsForIt() {
    Joining joining = new Joining();
    joining.install("n1", "n2");
    Cluster.Answered waiting = joining.cluster.begin("n1", Request.of(joining.client), 1);
    joining.cluster.time.pass(Duration.ofMillis(5));
    assertTrue(waiting.isPending(), "n3 does not have the view yet");
    joining.install("n3");
    joining.cluster.time.pass(Duration.ofMillis(14));
    assertTrue(waiting.verdict().allowed());
    assertEquals(Certainty.EXACT, waiting.verdict().certainty());
  }

  @Test
  void aCallerWithAnOldViewWaitsForTheNewOneAndIsRoutedAnew() {
    Joining joining = new Joining();
    Cluster cluster = joining.cluster;
    String atN2 = movingFrom("n2");
    joining.install("n1", "n2", "n3");
    cluster.time.pass(Duration.ofSeconds(1));
    View without = cluster.nextView("n1", "n2");
    cluster.install(without, "n2", "n3");
    Cluster.Answered waiting = cluster.begin("n1", Request.of(atN2), 1);
    cluster.time.pass(Duration.ofMillis(5));
    assertTrue(waiting.isPending(), "n3 has left, and n1 does not know");
    cluster.install(without, "n1");
    cluster.time.pass(Duration.ofMillis(14));
    assertEquals("n2", waiting.verdict().owner());
  }

  @Test
  void aCallerWhoNeverLearnsTheViewIsAnsweredAtItsDeadline() {
    Joining joining = new Joining();
    Cluster cluster = joining.cluster;
    String atN2 = movingFrom("n2");
    joining.install("n1", "n2", "n3");
    cluster.time.pass(Duration.ofSeconds(1));
    cluster.install(cluster.nextView("n1", "n2"), "n2", "n3");
    Verdict verdict = cluster.check("n1", atN2);
    assertEquals(Certainty.DEGRADED, verdict.certainty());
  }

  /** A client that moves from the given node to n3. */
  private static String movingFrom(String from) {
    Cluster before = Cluster.of(RULES, "n1", "n2");
    Cluster after = Cluster.of(RULES, "n1", "n2", "n3");
    for (int i = 0; i < 10_000; i++) {
      Request request = Request.of("moving-" + i);
      if (from.equals(before.engine("n1").place(request).owner())
          && "n3".equals(after.engine("n1").place(request).owner())) {
        return request.client();
      }
    }
    throw new AssertionError("no client moves from " + from);
  }

  @Test
  void checksUnderWayToADepartedMemberThatIsSilentEndAtTheirDeadline() {
    Cluster cluster = Cluster.of(RULES, "n1", "n2", "n3");
    String client = cluster.clientOwnedBy("n3");
    cluster.freeze("n3");
    Cluster.Answered waiting = cluster.begin("n1", Request.of(client), 1);
    cluster.engine("n1").install(cluster.nextView("n1", "n2"));
    cluster.time.pass(Cluster.DEADLINE);
    assertEquals(Certainty.DEGRADED, waiting.verdict().certainty());
    assertEquals(2, cluster.engine("n1").cluster().members().size());
  }

  @Test
  void whoStartsALineageAnewKeepsItsCountersAndCopiesAndAssumesTheOthers() {
    Cluster cluster = Cluster.fixedWindow(10);
    String mine = cluster.clientOwnedBy("n1");
    String copied = cluster.clientAt("n2", "n1");
    String others = cluster.clientAt("n2", "n3");
    cluster.check("n1", mine);
    cluster.check("n1", copied);
    cluster.check("n1", others);
    cluster.time.pass(Duration.ofMillis(50));
    cluster.engine("n1").install(cluster.foundedAnew("n1"));
    cluster.time.pass(Duration.ofMillis(50));
    Verdict kept = cluster.check("n1", mine);
    assertEquals(Certainty.EXACT, kept.certainty());
    assertEquals(8, kept.limits().get(0).answer().remaining());
    Verdict recovered = cluster.check("n1", copied);
    assertEquals(Certainty.RECOVERED, recovered.certainty());
    assertEquals(8, recovered.limits().get(0).answer().remaining());
    Verdict assumed = cluster.check("n1", others);
    assertEquals(Certainty.ASSUMED, assumed.certainty());
    assertEquals(9, assumed.limits().get(0).answer().remaining());
  }

  @Test
  void whoGaveUpItsViewAndStartsALineageGoesOnWithWhatItHolds() {
    Cluster cluster = Cluster.fixedWindow(10);
    String mine = cluster.clientOwnedBy("n1");
    cluster.check("n1", mine);
    cluster.engine("n1").leaveView();
    cluster.engine("n1").install(cluster.foundedAnew("n1"));
    Verdict verdict = cluster.check("n1", mine);
    assertEquals(Certainty.RECOVERED, verdict.certainty());
    assertEquals(8, verdict.limits().get(0).answer().remaining());
  }

  @Test
  void whoLeavesTheViewDecidesNothing() {
    Cluster cluster = Cluster.of(RULES, "n1", "n2");
    String client = cluster.clientOwnedBy("n1");
    cluster.check("n1", client);
    cluster.engine("n1").leaveView();
    assertEquals(0, cluster.engine("n1").keys());
    assertEquals(Certainty.DEGRADED, cluster.check("n1", client).certainty());
    assertFalse(cluster.engine("n1").cluster().members().size() > 0);
  }

  @Test
  void aMemberThatLeavesFinishesWhatItWasAsked() {
    Cluster cluster =
        Cluster.of(rules("rules: [{name: a, by: client, rate: 9/hour}]"), "n1", "n2", "n3");
    String client = cluster.clientOwnedBy("n2");
    Cluster.Answered asked = cluster.begin("n1", Request.of(client), 1);
    cluster.time.pass(Cluster.LATENCY);
    cluster.engine("n1").install(cluster.nextView("n1", "n3"));
    assertTrue(asked.isPending(), "n2 has decided, and its answer is on the way");
    cluster.time.pass(Cluster.DEADLINE);
    assertEquals(Certainty.EXACT, asked.verdict().certainty());
    cluster.time.pass(Duration.ofSeconds(1));
    assertEquals(0, cluster.engine("n1").peersKnown());
  }
}
