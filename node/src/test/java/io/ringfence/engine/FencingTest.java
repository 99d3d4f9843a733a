package io.ringfence.engine;

import static io.ringfence.engine.YamlRules.rules;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.engine.message.CheckMessage;
import io.ringfence.rules.Request;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node without a lease decides nothing, and says what its rules say. */
class FencingTest {
  private static final int LIMIT = 150;
  private static final Duration WINDOW = Duration.ofMinutes(1);
  private static final int READINGS = 12; // more than a check takes

  private static Cluster three(String policy) {
    return Cluster.of(
        rules(
            "rules: [{name: api, by: client, algorithm: fixed-window, limit: %d, window: 1m%s}]"
                .formatted(LIMIT, policy)),
        "n1",
        "n2",
        "n3");
  }

  private static Check one(String client) {
    return new Check(Request.of(client), 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"n1", "n2"})
  void itAdmitsItsShareOfTheLimitByDefaultWhoeverOwnsTheKey(String owner) {
    Cluster cluster = three("");
    String client = cluster.clientOwnedBy(owner);
    cluster.lapse("n1");
    int admitted = 0;
    for (int i = 0; i < LIMIT; i++) {
      Cluster.Answered answered = cluster.begin("n1", Request.of(client), 1);
      assertFalse(answered.isPending(), "at once");
      Verdict verdict = answered.verdict();
      assertEquals(Certainty.DEGRADED, verdict.certainty());
      admitted += verdict.allowed() ? 1 : 0;
    }
    assertEquals(LIMIT / 3, admitted);
    assertEquals(LIMIT, cluster.metrics.count("fallback api SHARE"));
    assertEquals(0, cluster.sent(CheckMessage.class), "nobody it reaches may decide");
    assertTrue(cluster.engine("n1").degraded());
  }

  @Test
  void whatWasAdmittedApartIsDebitedOnceItMayDecideAgain() {
    for (String owner : new String[] {"n1", "n2"}) {
      Cluster cluster = three("");
      String client = cluster.clientOwnedBy(owner);
      cluster.check("n1", client);
      cluster.lapse("n1");
      for (int i = 0; i < 10; i++) {
        assertTrue(cluster.begin("n1", Request.of(client), 1).verdict().allowed());
      }
      cluster.renew("n1");
      cluster.time.pass(Duration.ofSeconds(3));
      Verdict peeked = cluster.peek("n3", Request.of(client), 1);
      assertEquals(Certainty.EXACT, peeked.certainty());
      assertEquals(LIMIT - 11, peeked.limits().get(0).answer().remaining(), owner);
    }
  }

  @Test
  void openAdmitsAndClosedAndStrictRefuse() {
    Cluster open = three(", on_partition: open");
    open.lapse("n1");
    Verdict admitted = open.check("n1", open.clientOwnedBy("n1"));
    assertTrue(admitted.allowed());
    assertEquals(Certainty.DEGRADED, admitted.certainty());

    for (String word : new String[] {"closed", "strict"}) {
      Cluster closed = three(", on_unavailable: open, on_partition: " + word);
      closed.lapse("n1");
      Verdict refused = closed.check("n1", closed.clientOwnedBy("n1"));
      assertFalse(refused.allowed());
      assertEquals(Certainty.CLOSED, refused.certainty());
    }
  }

  @Test
  void oneBucketAnswersForBothPolicies() {
    Cluster cluster = three("");
    String client = cluster.clientOwnedBy("n2");
    cluster.lapse("n1");
    for (int i = 0; i < 10; i++) {
      assertTrue(cluster.begin("n1", Request.of(client), 1).verdict().allowed());
    }
    cluster.kill("n2");
    cluster.renew("n1");
    assertFalse(
        cluster.check("n1", client).allowed(), "a fifth of the share, which is used already");
  }

  @Test
  void nothingButACheckAtAnOwnerChangesACounterEither() {
    Cluster cluster = three("");
    String client = cluster.clientOwnedBy("n1");
    cluster.check("n1", client);
    cluster.lapse("n1");
    assertEquals(Certainty.DEGRADED, cluster.peek("n1", Request.of(client), 1).certainty(), "peek");
    cluster.ask(Engine::refund, "n1", one(client));
    cluster.ask(Engine::reset, "n1", one(client));
    cluster.ask(Engine::debit, "n1", one(client));
    cluster.renew("n1");
    Verdict peeked = cluster.peek("n1", Request.of(client), 1);
    assertEquals(Certainty.EXACT, peeked.certainty());
    assertEquals(LIMIT - 1, peeked.limits().get(0).answer().remaining());
  }

  @Test
  void aStandingCheckIsNotDecidedAndChargesNothing() {
    for (String algorithm :
        new String[] {"fixed-window", "token-bucket", "sliding-window-log", "gcra"}) {
      Cluster cluster =
          Cluster.of(
              rules(
                  "rules: [{name: api, by: client, algorithm: %s, limit: 9, window: 1m}]"
                      .formatted(algorithm)),
              "n1",
              "n2");
      String client = cluster.clientOwnedBy("n1");
      StandingCheck standing = cluster.engine("n1").standing(one(client));
      assertEquals(StandingCheck.Outcome.ALLOWED, standing.tryHere());
      cluster.time.pass(Duration.ofSeconds(10));
      long before = remaining(cluster, client);
      cluster.lapse("n1");
      assertEquals(StandingCheck.Outcome.NOT_HERE, standing.tryHere());
      cluster.renew("n1");
      assertEquals(before, remaining(cluster, client), algorithm);
      assertEquals(StandingCheck.Outcome.ALLOWED, standing.tryHere());
    }
  }

  private static long remaining(Cluster cluster, String client) {
    Verdict peeked = cluster.peek("n1", Request.of(client), 1);
    return peeked.limits().get(0).answer().remaining();
  }

  @Test
  void anOwnerThatHasItsLeaseBackInTimeDecidesWhatWasAskedMeanwhile() {
    Cluster cluster = three("");
    String client = cluster.clientOwnedBy("n2");
    cluster.lapse("n2");
    Cluster.Answered answered = cluster.begin("n1", Request.of(client), 1);
    cluster.time.pass(Cluster.DEADLINE.dividedBy(4));
    assertTrue(answered.isPending());
    cluster.renew("n2");
    cluster.time.pass(Cluster.LATENCY);
    assertEquals(Certainty.EXACT, answered.verdict().certainty());
    assertEquals(1, cluster.metrics.count("fenced"));
    assertEquals(0, cluster.engine("n2").unfinished().parked());
  }

  @Test
  void anOwnerWithoutALeaseSaysSoInTime() {
    Cluster cluster = three(", on_unavailable: open");
    String client = cluster.clientOwnedBy("n2");
    cluster.lapse("n2");
    Cluster.Answered answered = cluster.begin("n1", Request.of(client), 1);
    cluster.time.pass(Cluster.DEADLINE.dividedBy(2).plus(Cluster.LATENCY.multipliedBy(3)));
    assertEquals(Certainty.DEGRADED, answered.verdict().certainty());
    assertEquals(1, cluster.metrics.count("fallback api OPEN"));
    assertEquals(0, cluster.engine("n2").unfinished().parked());
    cluster.renew("n2");
    cluster.time.pass(Duration.ofSeconds(2));
    assertEquals(LIMIT - 1, remaining(cluster, client, "n2"), "what open admitted is not owed");
  }

  private static long remaining(Cluster cluster, String client, String node) {
    cluster.check(node, client);
    Verdict peeked = cluster.peek(node, Request.of(client), 1);
    return peeked.limits().get(0).answer().remaining();
  }

  /**
   * A process is stopped for ten windows, and its lease runs out, between any two readings of the
   * clock that a check takes. What counts was decided by the time at which the lease still ran, and
   * nothing else was charged.
   */
  @Test
  void A09_whereverAProcessIsStoppedNothingIsDecidedByALaterTime() {
    int fenced = 0;
    for (int reading = 0; reading < READINGS; reading++) {
      Cluster cluster = three(", on_partition: closed");
      String client = cluster.clientOwnedBy("n1");
      cluster.check("n1", client);
      cluster.leaseFor("n1", WINDOW);
      long startMillis = VirtualTime.T0_MILLIS;
      cluster.time.stopBefore(reading, WINDOW.multipliedBy(10));
      Verdict verdict = cluster.begin("n1", Request.of(client), 1).verdict();
      boolean counts = verdict.certainty() == Certainty.EXACT;
      if (counts) {
        long resetMillis = verdict.limits().get(0).answer().resetAtMillis();
        assertTrue(resetMillis <= startMillis + WINDOW.toMillis(), "decided after its lease");
      } else {
        fenced++;
        assertEquals(Certainty.CLOSED, verdict.certainty());
      }
    }
    assertTrue(fenced >= 2, "one reading for the decision, one for the lease: " + fenced);
    assertTrue(fenced < READINGS, "a stop after the last reading changes nothing");
  }
}
