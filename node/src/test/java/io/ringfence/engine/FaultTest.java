package io.ringfence.engine;

import static io.ringfence.engine.YamlRules.rules;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.engine.message.AnswerMessage;
import io.ringfence.engine.message.CancelMessage;
import io.ringfence.engine.message.CheckMessage;
import io.ringfence.rules.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What callers are told when an owner does not answer. */
class FaultTest {

  private static Cluster three(String policy) {
    return Cluster.of(
        rules(
            """
            rules:
              - {name: api, by: client, algorithm: fixed-window, limit: 150, window: 1h%s}
            """
                .formatted(policy)),
        "n1",
        "n2",
        "n3");
  }

  @Test
  void localAdmitsABoundedShareAndSaysDegraded() {
    Cluster cluster = three("");
    String client = cluster.clientOwnedBy("n2");
    cluster.kill("n2");
    int admitted = 0;
    for (int i = 0; i < 50; i++) {
      Verdict verdict = cluster.check("n1", client);
      admitted += verdict.allowed() ? 1 : 0;
      assertEquals(Certainty.DEGRADED, verdict.certainty());
      assertEquals("n1", verdict.owner());
    }
    assertEquals(150 / 3 / 5, admitted, "limit / nodes x 0.2");
    assertEquals(50, cluster.metrics.count("fallback api LOCAL"));
  }

  @Test
  void theLocalBucketIsWhatTheRuleStates() {
    Cluster cluster = three(", local: 3/hour");
    String client = cluster.clientOwnedBy("n2");
    cluster.kill("n2");
    int admitted = 0;
    for (int i = 0; i < 20; i++) {
      admitted += cluster.check("n1", client).allowed() ? 1 : 0;
    }
    assertEquals(3, admitted);
  }

  @Test
  void aLocalBucketIsNotRefilledByFlapping() {
    Cluster cluster = three("");
    String client = cluster.clientOwnedBy("n2");
    int degraded = 0;
    for (int i = 0; i < 12; i++) {
      cluster.freeze("n2");
      for (int j = 0; j < 10; j++) {
        Verdict verdict = cluster.check("n1", client);
        degraded += verdict.allowed() && verdict.certainty() == Certainty.DEGRADED ? 1 : 0;
      }
      cluster.thaw("n2");
      cluster.time.pass(Duration.ofSeconds(2));
      cluster.check("n1", client);
    }
    assertEquals(10, degraded);
  }

  @Test
  void openAdmitsAndClosedRefusesWithItsOwnCertainty() {
    Cluster open = three(", on_unavailable: open");
    String client = open.clientOwnedBy("n2");
    open.kill("n2");
    Verdict admitted = open.check("n1", client);
    assertTrue(admitted.allowed());
    assertEquals(Certainty.DEGRADED, admitted.certainty());

    Cluster closed = three(", on_unavailable: closed");
    closed.kill("n2");
    Verdict refused = closed.check("n1", client);
    assertFalse(refused.allowed());
    assertEquals(Certainty.CLOSED, refused.certainty());
    assertEquals(
        Duration.ofSeconds(1).toNanos(),
        requireNonNull(refused.deciding()).answer().retryAfterNanos());
  }

  @Test
  void aFrozenOwnerCostsCallersTheDeadlineAFewTimesThenNothing() {
    Cluster cluster = three(", on_unavailable: open");
    String client = cluster.clientOwnedBy("n2");
    cluster.freeze("n2");
    for (int i = 0; i < 5; i++) {
      Cluster.Answered waiting = cluster.begin("n1", Request.of(client), 1);
      assertTrue(waiting.isPending());
      cluster.time.pass(Cluster.DEADLINE);
      assertTrue(waiting.verdict().allowed());
    }
    for (int i = 0; i < 100; i++) {
      assertFalse(cluster.begin("n1", Request.of(client), 1).isPending(), "the breaker is open");
    }
    assertTrue(cluster.engine("n1").degraded());

    cluster.thaw("n2");
    cluster.time.pass(Duration.ofSeconds(1));
    assertEquals(Certainty.EXACT, cluster.check("n1", client).certainty(), "the probe got through");
    assertEquals(Certainty.EXACT, cluster.check("n1", client).certainty());
    assertFalse(cluster.engine("n1").degraded());
  }

  @Test
  void whileABreakerIsOpenOneCheckAnIntervalTries() {
    Cluster cluster = three(", on_unavailable: open");
    String client = cluster.clientOwnedBy("n2");
    cluster.freeze("n2");
    for (int i = 0; i < 5; i++) {
      cluster.check("n1", client);
    }
    cluster.time.pass(Duration.ofSeconds(1));
    int waiting = 0;
    for (int i = 0; i < 50; i++) {
      waiting += cluster.begin("n1", Request.of(client), 1).isPending() ? 1 : 0;
    }
    assertEquals(1, waiting);
  }

  @Test
  void oneSlowReplyDoesNotOpenTheBreaker() {
    Cluster cluster = three("");
    String client = cluster.clientOwnedBy("n2");
    for (int i = 0; i < 20; i++) {
      cluster.freeze("n2");
      cluster.check("n1", client);
      cluster.thaw("n2");
      assertEquals(Certainty.EXACT, cluster.check("n1", client).certainty());
    }
  }

  @Test
  void healthyOwnersAreNotTouchedByAFrozenOne() {
    Cluster cluster = three("");
    String frozen = cluster.clientOwnedBy("n2");
    String healthy = cluster.clientOwnedBy("n3");
    cluster.freeze("n2");
    for (int i = 0; i < 30; i++) {
      cluster.check("n1", frozen);
      assertEquals(Certainty.EXACT, cluster.check("n1", healthy).certainty());
    }
  }

  @Test
  void theChargeOfAnOwnerWhoseAnswerIsLostStands() {
    Cluster cluster = three("");
    String client = cluster.clientOwnedBy("n2");
    cluster.lose((to, message) -> message instanceof AnswerMessage);
    assertEquals(Certainty.DEGRADED, cluster.check("n1", client).certainty());
    cluster.lose((to, message) -> false);
    assertEquals(
        148, cluster.check("n1", client).limits().get(0).answer().remaining(), "two are charged");
  }

  @Test
  void anAnswerAfterTheDeadlineIsIgnored() {
    Cluster cluster = three("");
    String client = cluster.clientOwnedBy("n2");
    Cluster.Answered waiting = cluster.begin("n1", Request.of(client), 1);
    cluster.engine("n1").disconnected(cluster.id("n2"));
    assertTrue(waiting.isPending(), "the next view may say who decides instead");
    cluster.time.pass(Cluster.DEADLINE);
    assertEquals(Certainty.DEGRADED, waiting.verdict().certainty());
    cluster.time.pass(Duration.ofSeconds(1));
  }

  private static final String CLIENT_AND_IP =
      """
      rules:
        - {name: per-client, by: client, algorithm: fixed-window, limit: 100, window: 1h}
        - {name: per-ip, by: ip, algorithm: fixed-window, limit: 3, window: 1h}
      """;

  /** A request of a client that n2 owns, from an address that n3 owns. */
  private static Request twoOwners(Cluster cluster) {
    Cluster byAddress =
        Cluster.of(rules("rules: [{name: per-ip, by: ip, rate: 3/hour}]"), "n1", "n2", "n3");
    String client = cluster.clientOwnedBy("n2");
    for (int i = 0; i < 256; i++) {
      Request request = new Request(client, null, null, null, Map.of("ip", "10.0.0." + i));
      if ("n3".equals(byAddress.engine("n1").place(request).owner())) {
        return request;
      }
    }
    throw new AssertionError("n3 owns no address");
  }

  private static long clientRemaining(Cluster cluster, Request request) {
    Request clientOnly = Request.of(request.client());
    return cluster.peek("n1", clientOnly, 1).limits().get(0).answer().remaining();
  }

  @Test
  void aLostCancelLeavesTheChargeStanding() {
    Cluster cluster = Cluster.of(rules(CLIENT_AND_IP), "n1", "n2", "n3");
    Request request = twoOwners(cluster);
    cluster.lose((to, message) -> message instanceof CancelMessage);
    for (int i = 0; i < 5; i++) {
      cluster.check("n1", request, 1);
    }
    assertEquals(96, clientRemaining(cluster, request), "the fifth check charged nobody");
  }

  @Test
  void aRepeatedCancelUndoesOnce() {
    Cluster cluster = Cluster.of(rules(CLIENT_AND_IP), "n1", "n2", "n3");
    Request request = twoOwners(cluster);
    List<CancelMessage> cancels = new ArrayList<>();
    cluster.lose(
        (to, message) -> {
          if (message instanceof CancelMessage cancel) {
            cancels.add(cancel);
          }
          return false;
        });
    for (int i = 0; i < 5; i++) {
      cluster.check("n1", request, 1);
    }
    assertEquals(1, cancels.size());
    cancels.forEach(cancel -> cluster.engine("n2").received(cluster.id("n1"), cancel));
    assertEquals(97, clientRemaining(cluster, request));
  }

  @Test
  void aCancelAfterTheWindowRolledOverGivesNothingBack() {
    Cluster cluster = Cluster.of(rules(CLIENT_AND_IP), "n1", "n2", "n3");
    Request request = twoOwners(cluster);
    List<CancelMessage> late = new ArrayList<>();
    cluster.lose((to, message) -> message instanceof CancelMessage cancel && late.add(cancel));
    cluster.time.at(3_598);
    for (int i = 0; i < 4; i++) {
      cluster.check("n1", request, 1);
    }
    assertEquals(1, late.size());
    cluster.time.at(3_601);
    cluster.check("n1", Request.of(request.client()), 1);
    late.forEach(cancel -> cluster.engine("n2").received(cluster.id("n1"), cancel));
    assertEquals(99, clientRemaining(cluster, request));
  }

  @Test
  void aCancelAfterTheBucketHasRefilledGivesNothingBack() {
    Cluster cluster =
        Cluster.of(
            rules(
                """
                rules:
                  - {name: per-client, by: client, algorithm: token-bucket, limit: 10, window: 10s}
                  - {name: per-ip, by: ip, algorithm: fixed-window, limit: 0, window: 1h}
                """),
            "n1",
            "n2",
            "n3");
    Request request = twoOwners(cluster);
    List<CancelMessage> late = new ArrayList<>();
    cluster.lose((to, message) -> message instanceof CancelMessage cancel && late.add(cancel));
    cluster.check("n1", request, 1);
    cluster.time.pass(Duration.ofSeconds(2));
    int admitted = 0;
    for (int i = 0; i < 10; i++) {
      admitted += cluster.begin("n2", Request.of(request.client()), 1).verdict().allowed() ? 1 : 0;
    }
    late.forEach(cancel -> cluster.engine("n2").received(cluster.id("n1"), cancel));
    for (int i = 0; i < 5; i++) {
      admitted += cluster.begin("n2", Request.of(request.client()), 1).verdict().allowed() ? 1 : 0;
    }
    assertEquals(1, late.size());
    assertEquals(10, admitted, "eleven in one instant would be one too many");
  }

  @Test
  void aDefectIsAnsweredByTheRulesPolicyAndOnlyOnce() {
    Cluster cluster = three(", on_unavailable: open");
    String client = cluster.clientOwnedBy("n2");
    cluster.lose(
        (to, message) -> {
          if (message instanceof CheckMessage) {
            throw new IllegalStateException("a defect in the transport");
          }
          return false;
        });
    Cluster.Answered answered = cluster.begin("n1", Request.of(client), 1);
    assertTrue(answered.verdict().allowed());
    assertEquals(Certainty.DEGRADED, answered.verdict().certainty());
    cluster.time.pass(Duration.ofSeconds(1));
    assertEquals(1, cluster.metrics.count("defect engine"));
  }

  @Test
  void metersThatThrowCostNobodyAnAnswer() {
    Cluster cluster = three(", on_unavailable: open");
    cluster.metrics.breakDown();
    Verdict counted = cluster.check("n1", cluster.clientOwnedBy("n2"));
    assertTrue(counted.allowed());
    assertEquals(Certainty.EXACT, counted.certainty());
    assertEquals(149, counted.limits().get(0).answer().remaining());
    assertEquals(1, cluster.metrics.count("defect engine"));
    cluster.install(rules("rules: [{name: free, by: client, rate: unlimited}]"));
    assertTrue(cluster.begin("n1", Request.of("anybody"), 1).verdict().allowed());
    assertEquals(2, cluster.metrics.count("defect engine"));
  }

  @Test
  void inNoViewEveryCheckIsAnsweredByPolicy() {
    Cluster cluster = new Cluster(rules("rules: [{name: api, by: client, rate: 100/minute}]"));
    cluster.add("n1");
    Verdict verdict = cluster.check("n1", "c");
    assertTrue(verdict.allowed());
    assertEquals(Certainty.DEGRADED, verdict.certainty());
    assertTrue(cluster.engine("n1").cluster().degraded());
    assertEquals(List.of(), cluster.engine("n1").cluster().members());
  }

  @Test
  void aRuleThatTheOwnerDoesNotHaveIsAnsweredByPolicy() {
    Cluster cluster = three("");
    String client = cluster.clientOwnedBy("n2");
    cluster.engine("n1").install(rules("rules: [{name: fresh, by: client, rate: 100/minute}]"));
    assertEquals(Certainty.DEGRADED, cluster.check("n1", client).certainty());
    assertFalse(cluster.engine("n1").degraded(), "the owner is well: its breaker stays closed");
  }
}
