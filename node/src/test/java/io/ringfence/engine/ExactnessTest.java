package io.ringfence.engine;

import static io.ringfence.engine.YamlRules.rules;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.engine.message.AnswerMessage;
import io.ringfence.engine.message.CheckMessage;
import io.ringfence.rules.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** While views agree and answers come, every key is limited as if there were one counter. */
class ExactnessTest {
  private static final List<String> NODES = List.of("n1", "n2", "n3");

  private static Cluster three(String yaml) {
    return Cluster.of(rules(yaml), "n1", "n2", "n3");
  }

  @Test
  void eachKeyHasOneCounterWhicheverNodesAreAsked() {
    Cluster cluster =
        three(
            """
            rules:
              - {name: api, by: client, algorithm: fixed-window, limit: 50, window: 1h}
            """);
    for (int key = 0; key < 40; key++) {
      int admitted = 0;
      TreeSet<Long> remaining = new TreeSet<>();
      for (int i = 0; i < 150; i++) {
        Verdict verdict = cluster.check(NODES.get(i % 3), "client-" + key);
        if (verdict.allowed()) {
          admitted++;
          remaining.add(verdict.limits().get(0).answer().remaining());
        }
        assertEquals(Certainty.EXACT, verdict.certainty());
      }
      assertEquals(50, admitted);
      assertEquals(50, remaining.size(), "each remaining value is seen once");
    }
  }

  @Test
  void C09_twoNodesAndOneBudget() {
    Cluster cluster =
        Cluster.of(
            rules(
                """
                rules:
                  - {name: one, by: client, algorithm: fixed-window, limit: 1, window: 60s}
                """),
            "n1",
            "n2");
    List<Cluster.Answered> answers = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      answers.add(cluster.begin(i % 2 == 0 ? "n1" : "n2", Request.of("c"), 1));
    }
    cluster.time.pass(Cluster.DEADLINE);
    assertEquals(1, answers.stream().filter(a -> a.verdict().allowed()).count());
  }

  @Test
  void oneHopAtMost() {
    Cluster cluster =
        three(
            """
            rules:
              - {name: api, by: client, algorithm: fixed-window, limit: 50, window: 1h}
            """);
    String client = cluster.clientOwnedBy("n2");
    cluster.check("n2", client);
    assertEquals(0, cluster.sent(CheckMessage.class));
    cluster.check("n1", client);
    assertEquals(1, cluster.sent(CheckMessage.class), "one question");
    assertEquals(1, cluster.sent(AnswerMessage.class), "and one answer");
  }

  @Test
  void oneAddressHasOneCounterWhoeverTheClientsBehindItAre() {
    Cluster cluster =
        three(
            """
            rules:
              - {name: per-ip, by: ip, algorithm: fixed-window, limit: 7, window: 1h}
            """);
    int admitted = 0;
    for (int i = 0; i < 60; i++) {
      Request request = new Request("client-" + i, null, null, null, Map.of("ip", "203.0.113.7"));
      admitted += cluster.check(NODES.get(i % 3), request, 1).allowed() ? 1 : 0;
    }
    assertEquals(7, admitted);
  }

  @Test
  void limitsOfOneRuleAreOneDecision() {
    Cluster cluster =
        three(
            """
            rules:
              - name: free
                by: client
                limits:
                  - {name: burst, algorithm: fixed-window, limit: 3, window: 10s}
                  - {name: daily, algorithm: fixed-window, limit: 5, window: 1d}
            """);
    String client = cluster.clientOwnedBy("n3");
    int admitted = 0;
    for (int i = 0; i < 10; i++) {
      admitted += cluster.check("n1", client).allowed() ? 1 : 0;
    }
    assertEquals(3, admitted, "the seven denials by burst charged daily nothing");
    cluster.time.at(10.5);
    admitted = 0;
    for (int i = 0; i < 10; i++) {
      admitted += cluster.check("n2", client).allowed() ? 1 : 0;
    }
    assertEquals(2, admitted);
  }

  @Test
  void aDenialByAnotherOwnerCancelsWhatWasChargedFirst() {
    Cluster cluster =
        three(
            """
            rules:
              - {name: per-client, by: client, algorithm: fixed-window, limit: 100, window: 1h}
              - {name: per-ip, by: ip, algorithm: fixed-window, limit: 3, window: 1h}
            """);
    String client = cluster.clientOwnedBy("n2");
    for (int ip = 0; ip < 20; ip++) {
      Request request = new Request(client, null, null, null, Map.of("ip", "10.0.0." + ip));
      int admitted = 0;
      for (int i = 0; i < 5; i++) {
        admitted += cluster.check("n1", request, 1).allowed() ? 1 : 0;
      }
      assertEquals(3, admitted);
    }
    Verdict now = cluster.peek("n3", Request.of(client), 1);
    assertEquals(100 - 20 * 3, now.limits().get(0).answer().remaining());
  }

  @Test
  void C32_theRuleThatDeniesIsNamedAndTheOthersAreNotCharged() {
    Cluster cluster =
        three(
            """
            rules:
              - {name: items, by: user, algorithm: fixed-window, limit: 1, window: 60s}
              - {name: user, by: client, algorithm: fixed-window, limit: 5, window: 60s}
              - {name: root, by: global, algorithm: fixed-window, limit: 9, window: 60s}
            """);
    Request request = new Request("c", null, null, null, Map.of("user", "u"));
    assertTrue(cluster.check("n1", request, 1).allowed());
    Verdict second = cluster.check("n2", request, 1);
    assertFalse(second.allowed());
    assertEquals("items", requireNonNull(second.deciding()).rule().name());
    Verdict peeked = cluster.peek("n3", request, 1);
    for (LimitVerdict limit : peeked.limits()) {
      long expected =
          switch (limit.rule().name()) {
            case "items" -> 0;
            case "user" -> 4;
            default -> 8;
          };
      assertEquals(expected, limit.answer().remaining(), limit.rule().name());
    }
  }

  @Test
  void peekChargesNothing() {
    Cluster cluster =
        three(
            """
            rules:
              - {name: api, by: client, algorithm: token-bucket, limit: 10, window: 10s}
            """);
    for (int i = 0; i < 30; i++) {
      Verdict peeked = cluster.peek(NODES.get(i % 3), Request.of("c"), 10);
      assertTrue(peeked.allowed());
      assertEquals(10, peeked.limits().get(0).answer().remaining());
    }
    assertEquals(0, cluster.engine("n1").keys() + cluster.engine("n2").keys());
  }

  @Test
  void costsAboveTheCapacityNeverFitAndChargeNothing() {
    Cluster cluster =
        three(
            """
            rules:
              - {name: api, by: client, algorithm: token-bucket, limit: 10, window: 10s}
            """);
    Verdict denied = cluster.check("n1", Request.of("c"), 11);
    assertFalse(denied.allowed());
    assertEquals(
        io.ringfence.algorithms.Decision.NEVER, denied.limits().get(0).answer().retryAfterNanos());
    assertEquals(9, cluster.check("n2", "c").limits().get(0).answer().remaining());
  }

  @Test
  void shadowRulesDecideAndCountButNeverDeny() {
    Cluster cluster =
        three(
            """
            rules:
              - {name: watch, by: client, group: w, shadow: true, algorithm: fixed-window, limit: 2, window: 1h}
              - {name: real, by: client, algorithm: fixed-window, limit: 5, window: 1h}
            """);
    int admitted = 0;
    int watched = 0;
    for (int i = 0; i < 9; i++) {
      Verdict verdict = cluster.check(NODES.get(i % 3), "c");
      admitted += verdict.allowed() ? 1 : 0;
      watched +=
          (int)
              verdict.limits().stream()
                  .filter(l -> l.rule().name().equals("watch") && l.answer().allowed())
                  .count();
    }
    assertEquals(5, admitted);
    assertEquals(2, watched);
  }

  @Test
  void withoutARuleEverythingPassesAndNothingIsKept() {
    Cluster cluster =
        three(
            """
            rules:
              - {name: other, match: {client: somebody}, by: client, rate: 1/hour}
            """);
    Verdict verdict = cluster.check("n1", "c");
    assertTrue(verdict.allowed());
    assertNull(verdict.deciding());
    assertEquals(0, cluster.engine("n1").keys());
  }

  @Test
  void raisingALimitKeepsWhatIsUsed() {
    Cluster cluster =
        three(
            """
            rules:
              - {name: api, by: client, algorithm: fixed-window, limit: 5, window: 60s}
            """);
    String client = cluster.clientOwnedBy("n1");
    for (int i = 0; i < 5; i++) {
      assertTrue(cluster.check("n2", client).allowed());
    }
    assertFalse(cluster.check("n2", client).allowed());
    cluster.install(
        rules(
            """
            rules:
              - {name: api, by: client, algorithm: fixed-window, limit: 10, window: 60s}
            """));
    List<Long> remaining = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      remaining.add(cluster.check("n2", client).limits().get(0).answer().remaining());
    }
    assertEquals(List.of(4L, 3L, 2L, 1L, 0L), remaining);
    assertFalse(cluster.check("n2", client).allowed());
  }
}
