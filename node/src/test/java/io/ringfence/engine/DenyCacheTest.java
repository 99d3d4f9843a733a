package io.ringfence.engine;

import static io.ringfence.engine.YamlRules.rules;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.algorithms.Decision;
import io.ringfence.engine.message.AnswerMessage;
import io.ringfence.engine.message.CheckMessage;
import io.ringfence.engine.message.LiftMessage;
import io.ringfence.engine.message.LiftedMessage;
import io.ringfence.rules.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A denied key costs its owner one call a stated wait, and nobody is denied on an old word. */
class DenyCacheTest {

  private static long retrySeconds(Verdict verdict) {
    return verdict.limits().get(0).answer().retryAfterNanos() / 1_000_000_000L;
  }

  @Test
  void aDeniedKeyCostsOneCallANodeAStatedWait() {
    Cluster cluster = Cluster.fixedWindow(5);
    String client = cluster.clientOwnedBy("n2");
    for (int i = 0; i < 5; i++) {
      assertTrue(cluster.check("n1", client).allowed());
    }
    int before = cluster.sent(CheckMessage.class);
    for (int i = 0; i < 500; i++) {
      assertFalse(cluster.check("n1", client).allowed());
      assertFalse(cluster.check("n3", client).allowed());
    }
    assertEquals(2, cluster.sent(CheckMessage.class) - before, "one from each of the two nodes");
    assertEquals(998, cluster.metrics.count("checked DENY_CACHE"));
    cluster.time.at(60);
    assertTrue(cluster.check("n1", client).allowed(), "who waits as told gets through");
  }

  @Test
  void theAnswerSaysWhatIsLeftOfTheWaitAndWhoDenied() {
    Cluster cluster = Cluster.fixedWindow(1);
    String client = cluster.clientOwnedBy("n2");
    cluster.check("n1", client);
    Verdict first = cluster.check("n1", client);
    cluster.time.at(40);
    Verdict later = cluster.check("n1", client);
    assertEquals(20, Math.round(later.limits().get(0).answer().retryAfterNanos() / 1e9));
    assertEquals("n2", later.owner());
    assertEquals(Certainty.EXACT, later.certainty());
    assertEquals(
        first.limits().get(0).answer().resetAtMillis(),
        later.limits().get(0).answer().resetAtMillis());
  }

  @Test
  void aDenialForTenSaysNothingAboutOne() {
    Cluster cluster =
        Cluster.of(
            rules(
                "rules: [{name: tb, by: client, algorithm: token-bucket, limit: 10, window: 10s}]"),
            "n1",
            "n2",
            "n3");
    String client = cluster.clientOwnedBy("n2");
    Request request = Request.of(client);
    assertTrue(cluster.check("n1", request, 6).allowed());
    assertFalse(cluster.check("n1", request, 10).allowed());
    assertTrue(cluster.check("n1", request, 1).allowed());
    int before = cluster.sent(CheckMessage.class);
    assertFalse(cluster.check("n1", request, 10).allowed());
    assertEquals(0, cluster.sent(CheckMessage.class) - before, "ten is still known");
    Verdict never = cluster.check("n1", request, 12);
    assertEquals(Decision.NEVER, never.limits().get(0).answer().retryAfterNanos());
    assertEquals(1, cluster.sent(CheckMessage.class) - before, "twelve has a wait of its own");
    cluster.check("n1", request, 12);
    assertEquals(1, cluster.sent(CheckMessage.class) - before);
  }

  @Test
  void whoVariesTheCostOfEachCheckDoesNotReachTheOwnerWithEach() {
    Cluster cluster = Cluster.fixedWindow(1);
    String client = cluster.clientOwnedBy("n2");
    cluster.check("n1", client);
    int before = cluster.sent(CheckMessage.class);
    for (int cost = 1; cost <= 1_000; cost++) {
      assertFalse(cluster.check("n1", Request.of(client), cost).allowed());
    }
    assertEquals(Denials.MAX_COSTS, cluster.sent(CheckMessage.class) - before);
  }

  @Test
  void aCrowdThatComesBackWhenTheWaitIsOverDoesNotAllReachTheOwner() {
    Cluster cluster = Cluster.fixedWindow(1);
    String client = cluster.clientOwnedBy("n2");
    Request request = Request.of(client);
    cluster.check("n1", client);
    assertFalse(cluster.check("n1", client).allowed());
    cluster.time.at(61);
    int before = cluster.sent(CheckMessage.class);
    List<Cluster.Answered> crowd = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      crowd.add(cluster.begin("n1", request, 1));
    }
    assertEquals(Denials.MAX_ASKING, cluster.sent(CheckMessage.class) - before);
    Verdict beyond = crowd.get(4_999).verdict();
    assertFalse(beyond.allowed());
    assertEquals(1_000_000, beyond.limits().get(0).answer().retryAfterNanos(), "a moment");
    cluster.time.pass(Cluster.DEADLINE);
    assertEquals(1, crowd.stream().filter(answered -> answered.verdict().allowed()).count());
    assertFalse(cluster.check("n1", client).allowed());
    assertEquals(Denials.MAX_ASKING, cluster.sent(CheckMessage.class) - before);
    for (int i = 1; i <= 100; i++) {
      cluster.time.at(61 + 60 * i);
      assertTrue(cluster.check("n1", client).allowed(), "nobody is left counted as asking");
      assertFalse(cluster.check("n1", client).allowed());
    }
  }

  @Test
  void whoWasDeniedBecauseOfATentativeChargeIsToldWhenThatIsCancelled() {
    Cluster cluster =
        Cluster.of(
            rules(
                """
                rules:
                  - {name: mine, by: client, algorithm: fixed-window, limit: 1, window: 1h}
                  - {name: all, match: {tier: x}, by: global, algorithm: fixed-window, limit: 0, window: 1h}
                """),
            "n1",
            "n2",
            "n3");
    String ownerOfAll = cluster.ownerOfGlobal("all");
    String ownerOfMine = ownerOfAll.equals("n1") ? "n2" : "n1";
    String other = Set.of("n1", "n2").contains(ownerOfAll) ? "n3" : "n2";
    String client = cluster.clientOwnedBy(ownerOfMine);
    Request both = new Request(client, null, null, "x", Map.of());
    Cluster.Answered tentative = cluster.begin("n3", both, 1);
    Cluster.Answered meanwhile = cluster.begin(other, Request.of(client), 1);
    cluster.time.pass(Duration.ofMillis(10));
    assertFalse(tentative.verdict().allowed());
    assertFalse(meanwhile.verdict().allowed(), "for one round trip");
    assertTrue(cluster.check(other, client).allowed(), "and no longer");
  }

  @Test
  void B13_aRefundAtOneNodeIsKnownAtTheOthersBeforeItIsAnswered() {
    Cluster cluster = Cluster.fixedWindow(5);
    String client = cluster.clientOwnedBy("n2");
    for (int i = 0; i < 5; i++) {
      cluster.check("n1", client);
    }
    assertFalse(cluster.check("n1", client).allowed());
    assertFalse(cluster.check("n3", client).allowed());
    Cluster.Answered refund = new Cluster.Answered();
    cluster.engine("n3").refund(new Check(Request.of(client), 1), refund);
    while (refund.isPending()) {
      cluster.time.pass(Duration.ofMillis(1));
    }
    assertTrue(cluster.begin("n1", Request.of(client), 1).isPending(), "n1 asks the owner again");
    assertEquals(Certainty.EXACT, refund.verdict().certainty());
    cluster.time.pass(Cluster.DEADLINE);
    assertFalse(cluster.check("n3", client).allowed(), "one was given back, and taken");
    assertEquals(0, cluster.engine("n2").unfinished().lifts());
  }

  @Test
  void aLostLiftIsRepeatedUntilItIsAcknowledged() {
    Cluster cluster = Cluster.fixedWindow(1);
    String client = cluster.clientOwnedBy("n2");
    cluster.check("n1", client);
    cluster.check("n1", client);
    cluster.lose((to, message) -> message instanceof LiftMessage && to.name().equals("n1"));
    assertTrue(cluster.refund("n2", client, 1).allowed(), "within the deadline all the same");
    assertFalse(cluster.check("n1", client).allowed(), "n1 cannot know yet");
    cluster.lose((to, message) -> message instanceof LiftedMessage);
    cluster.time.pass(Duration.ofMillis(200));
    assertTrue(cluster.check("n1", client).allowed());
    assertEquals(1, cluster.engine("n2").unfinished().lifts());
    cluster.lose((to, message) -> false);
    cluster.time.pass(Duration.ofSeconds(1));
    assertEquals(0, cluster.engine("n2").unfinished().lifts());
  }

  @Test
  void aDenialThatOvertakesItsLiftIsNotRemembered() {
    Cluster cluster = Cluster.fixedWindow(1);
    String client = cluster.clientOwnedBy("n2");
    cluster.check("n1", client);
    List<AnswerMessage> late = new ArrayList<>();
    cluster.lose(
        (to, message) ->
            to.name().equals("n1") && message instanceof AnswerMessage answer && late.add(answer));
    Cluster.Answered denied = cluster.begin("n1", Request.of(client), 1);
    cluster.time.pass(Duration.ofMillis(3));
    assertEquals(1, late.size());
    cluster.lose((to, message) -> false);
    cluster.engine("n2").refund(new Check(Request.of(client), 1), new Cluster.Answered());
    cluster.time.pass(Duration.ofMillis(3));
    cluster.engine("n1").received(cluster.id("n2"), late.get(0));
    assertFalse(denied.verdict().allowed());
    assertTrue(cluster.check("n1", client).allowed(), "what was decided before the refund is over");
  }

  @Test
  void C12_aRaisedLimitEndsTheDenialsOfTheOldOne() {
    Cluster cluster = Cluster.fixedWindow(5);
    String client = cluster.clientOwnedBy("n2");
    for (int second = 0; second < 5; second++) {
      cluster.time.at(second + 0.001);
      assertTrue(cluster.check("n1", client).allowed());
    }
    cluster.time.at(10);
    assertEquals(49, retrySeconds(cluster.check("n1", client)), "49.998 s");
    cluster.time.at(19);
    var raised =
        rules("rules: [{name: fw, by: client, algorithm: fixed-window, limit: 10, window: 60s}]");
    cluster.engine("n1").install(raised);
    assertFalse(cluster.check("n1", client).allowed(), "the owner has the old file, and decides");
    cluster.time.at(20);
    cluster.engine("n2").install(raised);
    cluster.engine("n3").install(raised);
    for (int second = 21; second <= 25; second++) {
      cluster.time.at(second);
      Verdict verdict = cluster.check("n1", client);
      assertTrue(verdict.allowed());
      assertEquals(25 - second, verdict.limits().get(0).answer().remaining());
    }
    cluster.time.at(26);
    assertEquals(33, retrySeconds(cluster.check("n1", client)), "33.999 s");
  }

  @Test
  void anAssumedOrDegradedDenialIsNotRemembered() {
    Cluster cluster = Cluster.fixedWindow(1);
    String client = cluster.clientOwnedBy("n2");
    cluster.freeze("n2");
    for (int i = 0; i < 10; i++) {
      cluster.check("n1", client);
    }
    cluster.thaw("n2");
    cluster.time.pass(Duration.ofSeconds(2));
    int before = cluster.sent(CheckMessage.class);
    cluster.check("n1", client);
    assertTrue(cluster.sent(CheckMessage.class) > before, "the owner is asked");
  }

  @Test
  void B2_whoHammersAnExhaustedLimitOfItsOwnCostsTheSharedOneNothing() {
    Cluster cluster = Cluster.mineAndAll(3, 100);
    String loud = cluster.clientApartFromAll();
    for (int i = 0; i < 2_000; i++) {
      cluster.begin("n1", Request.of(loud), 1);
      cluster.begin("n2", Request.of(loud), 1);
      cluster.begin("n3", Request.of(loud), 1);
      if (i % 20 == 0) {
        cluster.time.pass(Cluster.LATENCY);
      }
    }
    int admitted = 0;
    for (int i = 0; i < 97; i++) {
      admitted += cluster.check("n3", "quiet-" + i).allowed() ? 1 : 0;
    }
    assertEquals(97, admitted, "not one false denial");
    assertFalse(cluster.check("n2", "quiet-98").allowed());
  }

  @Test
  void theCacheIsBounded() {
    Cluster cluster =
        Cluster.of(
            rules("rules: [{name: fw, by: client, algorithm: fixed-window, limit: 0, window: 1h}]"),
            "n1",
            "n2");
    for (int i = 0; i < 150_000; i++) {
      cluster.begin("n1", Request.of("k" + i), 1);
      if (i % 500 == 0) {
        cluster.time.pass(Duration.ofMillis(3));
      }
    }
    assertTrue(cluster.engine("n1").denialsKnown() <= Denials.CAPACITY);
    assertTrue(cluster.engine("n1").denialsKnown() > 0);
  }
}
