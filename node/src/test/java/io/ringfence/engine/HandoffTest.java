package io.ringfence.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.engine.message.CopiedMessage;
import io.ringfence.engine.message.CopyMessage;
import io.ringfence.engine.message.PassMessage;
import io.ringfence.engine.message.TakenMessage;
import io.ringfence.membership.View;
import io.ringfence.rules.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Slots go from one node to another, and nothing of what they hold is lost on the way. */
class HandoffTest {
  private static final int CLIENTS = 200;

  private static Cluster tenAnHour() {
    return tenAnHour("");
  }

  private static Cluster tenAnHour(String more) {
    String rule = "{name: fw, by: client, algorithm: fixed-window, limit: 10, window: 1h%s}";
    return Cluster.of(YamlRules.rules("rules: [" + rule.formatted(more) + "]"), "n1", "n2", "n3");
  }

  /** A node that is new joins the three; nobody has the view yet. */
  private static View joinOf(Cluster cluster, String name) {
    cluster.add(name);
    return cluster.joiningView(name, "n1", "n2", "n3");
  }

  /** Uses up some of each client's limit, then all of it; in all exactly the limit is admitted. */
  private static final class Load {
    private final Cluster cluster;
    private final int limit;

    Load(Cluster cluster, int limit) {
      this.cluster = cluster;
      this.limit = limit;
    }

    private static String client(int number) {
      return "client-" + number;
    }

    void use(String node, int times) {
      for (int i = 0; i < CLIENTS; i++) {
        for (int n = 0; n < times; n++) {
          Verdict verdict = cluster.check(node, client(i));
          assertTrue(verdict.allowed(), client(i));
          assertTrue(verdict.certainty().isSure(), () -> verdict.toString());
        }
      }
    }

    /** How many more each client gets, asked at these nodes in turn. */
    void assertLeft(int left, String... nodes) {
      for (int i = 0; i < CLIENTS; i++) {
        int admitted = 0;
        for (int n = 0; n < limit + 2; n++) {
          Verdict verdict = cluster.check(nodes[n % nodes.length], client(i));
          assertTrue(verdict.certainty().isSure(), () -> verdict.toString());
          admitted += verdict.allowed() ? 1 : 0;
        }
        assertEquals(left, admitted, client(i));
      }
    }
  }

  @Test
  void joinLosesNothing() {
    Cluster cluster = tenAnHour();
    Load load = new Load(cluster, 10);
    load.use("n1", 4);
    cluster.add("n4");
    cluster.installAndSettle(cluster.joiningView("n4", "n1", "n2", "n3"), "n1", "n2", "n3", "n4");
    View settled = cluster.nextView("n1", "n2", "n3", "n4");
    cluster.install(settled, "n1", "n2", "n3", "n4");
    load.assertLeft(6, "n1", "n2", "n3", "n4");
  }

  @Test
  void checksDuringAJoinAreExact() {
    Cluster cluster = tenAnHour();
    Load load = new Load(cluster, 10);
    load.use("n2", 2);
    View joining = joinOf(cluster, "n4");
    cluster.install(joining, "n1", "n2", "n3", "n4");
    List<Cluster.Answered> answers = new ArrayList<>();
    for (int round = 0; round < 10; round++) {
      for (int i = 0; i < CLIENTS; i++) {
        answers.add(cluster.begin("n" + (1 + (i + round) % 4), Request.of(Load.client(i)), 1));
      }
      cluster.time.pass(Duration.ofMillis(7));
    }
    cluster.settle(joining, "n1", "n2", "n3", "n4");
    assertTrue(
        answers.stream().allMatch(answer -> answer.verdict().certainty() == Certainty.EXACT),
        "no check fails or waits in vain");
    assertEquals(
        8L * CLIENTS, answers.stream().filter(answer -> answer.verdict().allowed()).count());
  }

  @Test
  void drainLosesNothing() {
    Cluster cluster = tenAnHour();
    Load load = new Load(cluster, 10);
    load.use("n1", 4);
    cluster.installAndSettle(cluster.drainingView("n3", "n1", "n2"), "n1", "n2", "n3");
    assertEquals(0, cluster.engine("n3").slotCounts().open());
    View settled = cluster.nextView("n1", "n2");
    cluster.install(settled, "n1", "n2", "n3");
    cluster.kill("n3");
    load.assertLeft(6, "n1", "n2");
  }

  @Test
  void whatIsPassedIsPassedAgainUntilItIsTaken() {
    Cluster cluster = tenAnHour();
    Load load = new Load(cluster, 10);
    load.use("n1", 4);
    View joining = joinOf(cluster, "n4");
    boolean[] lostPass = {false, false};
    cluster.lose(
        (to, message) -> {
          boolean lost =
              (message instanceof PassMessage && !lostPass[0])
                  || (message instanceof TakenMessage && !lostPass[1]);
          lostPass[0] |= message instanceof PassMessage;
          lostPass[1] |= message instanceof TakenMessage;
          return lost;
        });
    cluster.install(joining, "n1", "n2", "n3", "n4");
    cluster.settle(joining, "n1", "n2", "n3", "n4");
    load.assertLeft(6, "n1", "n2", "n3", "n4");
  }

  @Test
  void lostCopiesAreSentAgain() {
    Cluster cluster = tenAnHour();
    Load load = new Load(cluster, 10);
    load.use("n1", 4);
    View joining = joinOf(cluster, "n4");
    int[] copies = {0};
    cluster.lose((to, message) -> message instanceof CopyMessage && copies[0]++ % 3 != 0);
    cluster.install(joining, "n1", "n2", "n3", "n4");
    cluster.settle(joining, "n1", "n2", "n3", "n4");
    cluster.lose((to, message) -> false);
    cluster.time.pass(Duration.ofSeconds(1));
    load.assertLeft(6, "n1", "n2", "n3", "n4");
  }

  @Test
  void aJoinThatIsCutShortLosesNothing() {
    Cluster cluster = tenAnHour();
    Load load = new Load(cluster, 10);
    load.use("n1", 4);
    View joining = joinOf(cluster, "n4");
    cluster.install(joining, "n1", "n2", "n3", "n4");
    cluster.time.pass(Duration.ofMillis(15)); // some slots are passed, and some are not
    cluster.kill("n4");
    cluster.installAndSettle(cluster.lossView("n1", "n2", "n3"), "n1", "n2", "n3");
    load.assertLeft(6, "n1", "n2", "n3");
  }

  @Test
  void aKilledOwnersCountersAreRecovered() {
    Cluster cluster = tenAnHour();
    Load load = new Load(cluster, 10);
    load.use("n1", 4);
    cluster.time.pass(Duration.ofMillis(50));
    String lost = cluster.clientOwnedBy("n3");
    cluster.check("n1", lost);
    cluster.time.pass(Duration.ofMillis(50));
    cluster.kill("n3");
    cluster.installAndSettle(cluster.lossView("n1", "n2"), "n1", "n2");
    Verdict verdict = cluster.check("n1", lost);
    assertEquals(Certainty.RECOVERED, verdict.certainty());
    assertEquals(8, verdict.limits().get(0).answer().remaining());
    load.assertLeft(6, "n1", "n2");
    View settled = cluster.nextView("n1", "n2");
    cluster.install(settled, "n1", "n2");
    cluster.kill("n2");
    cluster.installAndSettle(cluster.lossView("n1"), "n1");
    load.assertLeft(0, "n1");
  }

  @Test
  void aCounterThatLeftAsIdleAndIsUsedAgainIsCopiedAsItIsNow() {
    Cluster cluster = tenAnHour();
    String client = cluster.clientAt("n3", "n2");
    cluster.time.pass(Duration.ofMillis(50));
    cluster.lose((to, message) -> message instanceof CopyMessage);
    cluster.check("n3", client);
    cluster.refund("n3", client, 1);
    cluster.time.pass(Duration.ofSeconds(6)); // the sweep has passed by
    assertEquals(0, cluster.engine("n3").keys());
    cluster.check("n3", Request.of(client), 4);
    cluster.lose((to, message) -> false);
    cluster.time.pass(Duration.ofSeconds(1));
    cluster.kill("n3");
    cluster.installAndSettle(cluster.lossView("n1", "n2"), "n1", "n2");
    assertEquals(5, cluster.check("n1", client).limits().get(0).answer().remaining());
  }

  @Test
  void whoIsAwayMayDecideUntilItsLeaseIsOver() {
    Cluster cluster = tenAnHour();
    String client = cluster.clientOwnedBy("n3");
    cluster.check("n1", client);
    cluster.time.pass(Duration.ofMillis(50));
    cluster.freeze("n3");
    cluster.departedMayDecide(true);
    View away = cluster.awayView("n3", "n1", "n2");
    cluster.install(away, "n1", "n2");
    cluster.time.pass(Duration.ofSeconds(1));
    assertFalse(cluster.engine("n1").isDone(away.stamp()));
    assertEquals(Certainty.DEGRADED, cluster.check("n1", client).certainty());
    cluster.departedMayDecide(false);
    cluster.settle(away, "n1", "n2");
    Verdict verdict = cluster.check("n1", client);
    assertEquals(Certainty.RECOVERED, verdict.certainty());
  }

  @Test
  void countersOfADeadOwnerAndBackupAreAssumed() {
    Cluster cluster = tenAnHour();
    Load load = new Load(cluster, 10);
    load.use("n1", 4);
    cluster.kill("n2");
    cluster.kill("n3");
    cluster.installAndSettle(cluster.lossView("n1"), "n1");
    int assumed = 0;
    for (int i = 0; i < CLIENTS; i++) {
      Verdict verdict = cluster.check("n1", Load.client(i));
      assumed += verdict.certainty() == Certainty.ASSUMED ? 1 : 0;
      int remaining = verdict.certainty() == Certainty.ASSUMED ? 9 : 5;
      assertEquals(remaining, verdict.limits().get(0).answer().remaining());
    }
    assertTrue(assumed > 0 && assumed < CLIENTS, "assumed: " + assumed);
  }

  /** What a check leaves once n3 was frozen and replaced, and once it is back and has paid. */
  private static void assertLeftOverAReturn(
      Cluster cluster, String client, long before, long after) {
    cluster.freeze("n3");
    View away = cluster.awayView("n3", "n1", "n2");
    cluster.install(away, "n1", "n2");
    cluster.lose((to, message) -> false);
    cluster.settle(away, "n1", "n2");
    Verdict replaced = cluster.check("n1", client);
    assertEquals(before, replaced.limits().get(0).answer().remaining());
    cluster.thaw("n3");
    cluster.install(away, "n3");
    cluster.time.pass(Duration.ofSeconds(3));
    Verdict back = cluster.check("n1", client);
    assertEquals(after, back.limits().get(0).answer().remaining());
  }

  @Test
  void E7_whatOnlyTheFrozenOwnerKnewIsDebitedOnItsReturn() {
    Cluster cluster = tenAnHour();
    String client = cluster.clientOwnedBy("n3");
    cluster.check("n1", client);
    cluster.time.pass(Duration.ofMillis(50));
    cluster.lose((to, message) -> message instanceof CopyMessage); // it is copied no more
    for (int i = 0; i < 3; i++) {
      assertTrue(cluster.check("n3", client).allowed());
    }
    assertLeftOverAReturn(cluster, client, 8, 4);
  }

  @Test
  void E7_whatWasCopiedThoughItsAcknowledgementWasLostCountsOnce() {
    Cluster cluster = tenAnHour();
    String client = cluster.clientOwnedBy("n3");
    cluster.check("n1", client);
    cluster.time.pass(Duration.ofMillis(50));
    cluster.lose((to, message) -> message instanceof CopiedMessage);
    cluster.check("n3", client);
    cluster.time.pass(Duration.ofMillis(50)); // no longer than checks need not wait for copies
    cluster.lose((to, message) -> message instanceof CopyMessage);
    cluster.check("n3", client);
    assertLeftOverAReturn(cluster, client, 7, 5);
  }

  @Test
  void E2_syncAnswersOnceTheBackupHasTheCharge() {
    Cluster cluster = tenAnHour(", durability: sync");
    String client = cluster.clientAt("n2", "n3");
    cluster.time.pass(Duration.ofMillis(50));
    Cluster.Answered answered = cluster.begin("n2", Request.of(client), 1);
    assertTrue(answered.isPending());
    cluster.time.pass(Cluster.LATENCY.multipliedBy(2));
    assertEquals(Certainty.EXACT, answered.verdict().certainty());
    cluster.kill("n2");
    cluster.installAndSettle(cluster.lossView("n1", "n3"), "n1", "n3");
    assertEquals(8, cluster.check("n1", client).limits().get(0).answer().remaining());
  }

  @Test
  void A7_syncWithoutAnAnswerOfTheBackupWaitsUntilTheDeadline() {
    Cluster cluster = tenAnHour(", durability: sync");
    String client = cluster.clientAt("n2", "n3");
    cluster.time.pass(Duration.ofMillis(50));
    cluster.unplug("n2", "n3");
    assertEquals(Certainty.DEGRADED, cluster.check("n2", client).certainty());
    assertEquals(Certainty.DEGRADED, cluster.check("n1", client).certainty());
    cluster.installAndSettle(cluster.awayView("n3", "n1", "n2"), "n1", "n2");
    cluster.time.pass(Duration.ofSeconds(2));
    Verdict verdict = cluster.check("n1", client);
    assertEquals(Certainty.EXACT, verdict.certainty());
    assertTrue(verdict.limits().get(0).answer().remaining() <= 7, "charges that waited stand");
  }

  @Test
  void E2_asyncBeyondTheLagActsAsSync() {
    Cluster cluster = tenAnHour();
    String client = cluster.clientAt("n2", "n3");
    cluster.time.pass(Duration.ofMillis(50));
    cluster.lose((to, message) -> message instanceof CopyMessage);
    int exact = 0;
    for (int i = 0; i < 9; i++) {
      cluster.time.pass(Duration.ofMillis(1));
      exact += cluster.check("n2", client).certainty() == Certainty.EXACT ? 1 : 0;
    }
    assertTrue(exact >= 4 && exact <= 6, "about 100 ms of checks of 21 ms each: " + exact);
    cluster.lose((to, message) -> false);
    cluster.time.pass(Duration.ofSeconds(2));
    assertEquals(Certainty.EXACT, cluster.check("n2", client).certainty());
  }

  @Test
  void E5_ofALostCounterTheRuleSaysWhatItHasUsed() {
    assertEquals(9, remainingOnceLost(""));
    assertEquals(9, remainingOnceLost(", on_state_lost: fresh"));
    assertEquals(4, remainingOnceLost(", on_state_lost: prorated"));
    assertEquals(0, remainingOnceLost(", on_state_lost: spent"));
    assertEquals(9, remainingOnceLost(", durability: none"));
  }

  /**
   * Shortly before the middle of the window its owner dies, and its backup unless no copy is kept
   * anyway.
   */
  private static long remainingOnceLost(String policy) {
    Cluster cluster = tenAnHour(policy);
    String client = cluster.clientAt("n2", "n3");
    cluster.time.at(1_790);
    cluster.check("n1", client);
    cluster.time.pass(Duration.ofMillis(50));
    cluster.kill("n2");
    boolean both = !policy.contains("none");
    String[] left = both ? new String[] {"n1"} : new String[] {"n1", "n3"};
    if (both) {
      cluster.kill("n3");
    }
    cluster.installAndSettle(cluster.lossView(left), left);
    Verdict verdict = cluster.check("n1", client);
    assertEquals(Certainty.ASSUMED, verdict.certainty());
    return verdict.limits().get(0).answer().remaining();
  }

  @Test
  void whatIsNotCopiedIsHandedOverAllTheSame() {
    Cluster cluster = tenAnHour(", durability: none");
    Load load = new Load(cluster, 10);
    load.use("n1", 4);
    cluster.installAndSettle(cluster.drainingView("n3", "n1", "n2"), "n1", "n2", "n3");
    cluster.install(cluster.nextView("n1", "n2"), "n1", "n2", "n3");
    load.assertLeft(6, "n1", "n2");
  }

  @Test
  void aCallThatIsLostAfterTheViewCameIsRoutedAnew() {
    Cluster cluster = tenAnHour();
    String client = cluster.clientAt("n2", "n1");
    cluster.time.pass(Duration.ofMillis(50));
    cluster.freeze("n2");
    Cluster.Answered waiting = cluster.begin("n1", Request.of(client), 1);
    View without = cluster.lossView("n1", "n3");
    cluster.install(without, "n1", "n3");
    cluster.time.pass(Duration.ofMillis(15));
    assertTrue(waiting.isPending());
    cluster.kill("n2");
    assertEquals(Certainty.RECOVERED, waiting.verdict().certainty());
  }
}
