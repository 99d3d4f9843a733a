package io.ringfence.engine;

import static io.ringfence.engine.YamlRules.rules;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.engine.message.AnswerMessage;
import io.ringfence.engine.message.CheckMessage;
import io.ringfence.rules.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Refunds, resets, debits, usage, several checks at once, and requests that have a name. */
class CallsTest {

  private static long remaining(Verdict verdict) {
    return verdict.limits().get(0).answer().remaining();
  }

  @ParameterizedTest
  @ValueSource(strings = {"n1", "n2"})
  void C34_aRefundGivesBackAtZeroAndNeverAboveTheLimit(String node) {
    Cluster cluster = Cluster.fixedWindow(10);
    String client = cluster.clientOwnedBy("n2");
    Request request = Request.of(client);
    cluster.time.at(1);
    assertEquals(0, remaining(cluster.check(node, request, 10)));
    cluster.time.at(2);
    Verdict denied = cluster.check(node, request, 1);
    assertFalse(denied.allowed());
    assertEquals(58, Math.ceil(denied.limits().get(0).answer().retryAfterNanos() / 1e9));
    cluster.time.at(3);
    assertEquals(1, remaining(cluster.refund(node, client, 1)));
    cluster.time.at(4);
    Verdict allowed = cluster.check(node, request, 1);
    assertTrue(allowed.allowed(), "the deny cache was lifted");
    assertEquals(0, remaining(allowed));
    cluster.time.at(5);
    assertEquals(10, remaining(cluster.refund(node, client, 50)));
    assertEquals(10, remaining(cluster.peek(node, request, 1)));
    cluster.time.at(61);
    assertEquals(10, remaining(cluster.refund(node, client, 3)));
    assertEquals(10, remaining(cluster.peek(node, request, 1)));
  }

  @Test
  void aRefundReachesEveryLimitWhoeverOwnsIt() {
    Cluster cluster = Cluster.mineAndAll(10, 100);
    String client = cluster.clientApartFromAll();
    cluster.check("n3", Request.of(client), 6);
    Verdict refunded = cluster.refund("n3", client, 2);
    assertEquals(6, refunded.limits().get(0).answer().remaining());
    assertEquals(96, refunded.limits().get(1).answer().remaining());
  }

  @Test
  void aResetMakesCountersNewAndADebitChargesWhateverIsLeft() {
    Cluster cluster = Cluster.fixedWindow(10);
    String client = cluster.clientOwnedBy("n2");
    Check three = new Check(Request.of(client), 3);
    assertEquals(7, remaining(cluster.ask(Engine::debit, "n1", three)));
    assertEquals(0, remaining(cluster.ask(Engine::debit, "n1", new Check(Request.of(client), 20))));
    assertFalse(cluster.check("n1", client).allowed());
    Verdict reset = cluster.ask(Engine::reset, "n3", three);
    assertTrue(reset.allowed());
    assertEquals(10, remaining(reset));
    assertTrue(cluster.check("n1", client).allowed(), "the deny cache was lifted");
  }

  @Test
  void whatAnUnreachableOwnerWouldHaveToDoIsNotDoneAndSaysSo() {
    Cluster cluster = Cluster.fixedWindow(150);
    String client = cluster.clientOwnedBy("n2");
    cluster.kill("n2");
    Check ten = new Check(Request.of(client), 10);
    for (Cluster.Call call : List.<Cluster.Call>of(Engine::reset, Engine::debit)) {
      Verdict verdict = cluster.ask(call, "n1", ten);
      assertFalse(verdict.allowed());
      assertEquals(Certainty.DEGRADED, verdict.certainty());
    }
    assertTrue(cluster.check("n1", Request.of(client), 10).allowed(), "150 / 3 / 5 is all there");
    assertFalse(cluster.check("n1", Request.of(client), 1).allowed());
    assertEquals(4, remaining(cluster.refund("n1", client, 4)), "of the local bucket");
    assertTrue(cluster.check("n1", Request.of(client), 4).allowed());
    assertFalse(cluster.check("n1", Request.of(client), 1).allowed());
  }

  @Test
  void whatALocalBucketAdmittedIsDebitedOnceWhenItsOwnerAnswersAgain() {
    Cluster cluster = Cluster.fixedWindow(150);
    String client = cluster.clientOwnedBy("n2");
    assertEquals(149, remaining(cluster.check("n1", client)));
    cluster.engine("n1").disconnected(cluster.id("n2"));
    cluster.unplug("n1", "n2");
    for (int i = 0; i < 20; i++) {
      cluster.check("n1", client);
    }
    cluster.refund("n1", client, 3);
    assertTrue(cluster.engine("n1").unfinished().debts() > 0);
    cluster.plugIn("n1", "n2");
    cluster.engine("n1").connected(cluster.id("n2"));
    cluster.time.pass(Duration.ofSeconds(1));
    assertEquals(0, cluster.engine("n1").unfinished().debts());
    assertEquals(142, remaining(cluster.peek("n3", Request.of(client), 1)), "1 + 10 - 3 used");
    cluster.time.pass(Duration.ofSeconds(5));
    assertEquals(142, remaining(cluster.peek("n3", Request.of(client), 1)));
  }

  @Test
  void aDebitWhoseAnswerIsLostIsNotAppliedTwice() {
    Cluster cluster = Cluster.fixedWindow(150);
    String client = cluster.clientOwnedBy("n2");
    cluster.unplug("n1", "n2");
    for (int i = 0; i < 4; i++) {
      cluster.check("n1", client);
    }
    cluster.plugIn("n1", "n2");
    cluster.lose((to, message) -> message instanceof AnswerMessage && to.name().equals("n1"));
    cluster.time.pass(Duration.ofMillis(300));
    cluster.lose((to, message) -> false);
    assertTrue(cluster.engine("n1").unfinished().debts() > 0);
    cluster.time.pass(Duration.ofSeconds(3));
    assertEquals(0, cluster.engine("n1").unfinished().debts());
    assertEquals(146, remaining(cluster.peek("n3", Request.of(client), 1)));
  }

  @Test
  void whatAWindowHasMadeUpForIsOwedToNobody() {
    Cluster cluster = Cluster.fixedWindow(150);
    String client = cluster.clientOwnedBy("n2");
    cluster.unplug("n1", "n2");
    for (int i = 0; i < 10; i++) {
      cluster.check("n1", client);
    }
    cluster.time.at(61);
    cluster.plugIn("n1", "n2");
    cluster.engine("n1").connected(cluster.id("n2"));
    cluster.time.pass(Duration.ofSeconds(3));
    assertEquals(0, cluster.engine("n1").unfinished().debts());
    assertEquals(150, remaining(cluster.peek("n3", Request.of(client), 1)));
  }

  @Test
  void usageTellsAllCountersOfAClientAndConsumesNothing() {
    Cluster cluster =
        Cluster.of(
            rules(
                """
                rules:
                  - {name: routes, match: {route: "/a/**"}, by: [client, route], rate: 30/hour}
                  - {name: all, by: global, rate: 1000/hour}
                  - name: mine
                    by: client
                    limits: [{name: d, rate: 900/day}, {name: s, rate: 50/second}]
                """),
            "n1",
            "n2",
            "n3");
    String client = cluster.clientOwnedBy("n2");
    cluster.check("n3", new Request(client, "GET", "/a/b", null, Map.of()), 5);
    for (String node : List.of("n1", "n2")) {
      AtomicReference<Usage> told = new AtomicReference<>();
      cluster.engine(node).usage(client, told::set);
      cluster.time.pass(Cluster.DEADLINE);
      Usage usage = requireNonNull(told.get(), "no answer within the deadline");
      assertEquals("n2", usage.owner());
      assertEquals(Certainty.EXACT, usage.certainty());
      assertEquals(
          List.of("routes:25", "mine:895", "mine:45"),
          usage.entries().stream()
              .map(e -> e.rule().name() + ":" + e.answer().remaining())
              .toList());
      assertEquals(client, usage.entries().get(0).values().get(0));
    }
    AtomicReference<Usage> degraded = new AtomicReference<>();
    cluster.freeze("n2");
    cluster.engine("n1").usage(client, degraded::set);
    cluster.time.pass(Cluster.DEADLINE);
    assertEquals(Certainty.DEGRADED, requireNonNull(degraded.get()).certainty());
  }

  private static List<Verdict> all(Cluster cluster, String node, List<Check> checks) {
    AtomicReference<List<Verdict>> told = new AtomicReference<>();
    cluster.engine(node).checkAll(checks, told::set);
    cluster.time.pass(Duration.ofSeconds(2));
    return requireNonNull(told.get(), "no answer in two seconds");
  }

  @ParameterizedTest
  @ValueSource(strings = {"n1", "n2"})
  void C36_aBatchActsLikeTheSameChecksInSequence(String node) {
    Cluster cluster = Cluster.fixedWindow(5);
    String client = cluster.clientOwnedBy("n2");
    String dead = cluster.clientOwnedBy("n3");
    cluster.kill("n3");
    Request request = Request.of(client);
    List<Verdict> verdicts =
        all(
            cluster,
            node,
            List.of(
                new Check(request, 3),
                new Check(request, 3),
                new Check(Request.of(dead), 1),
                new Check(request, 2),
                new Check(request, 1),
                new Check(Request.of(cluster.clientOwnedBy(node)), 5)));
    assertEquals(
        List.of(true, false, true, true, false),
        verdicts.subList(0, 5).stream().map(Verdict::allowed).toList());
    assertEquals(List.of(2L, 2L), verdicts.subList(0, 2).stream().map(v -> remaining(v)).toList());
    assertEquals(Certainty.DEGRADED, verdicts.get(2).certainty(), "a dead owner's key: its policy");
    assertEquals(List.of(0L, 0L), verdicts.subList(3, 5).stream().map(v -> remaining(v)).toList());
    assertEquals(node.equals("n1"), verdicts.get(5).allowed(), "at n2 it is the same client");
  }

  @Test
  void aLongBatchOfOneKeyTakesNoDeepStackAndNothingForNothing() {
    Cluster cluster = Cluster.fixedWindow(1_000_000);
    String client = cluster.clientOwnedBy("n1");
    List<Check> checks =
        IntStream.range(0, 10_000).mapToObj(i -> new Check(Request.of(client), 1)).toList();
    List<Verdict> verdicts = all(cluster, "n1", checks);
    assertEquals(990_000, remaining(verdicts.get(9_999)));
    assertEquals(List.of(), all(cluster, "n1", List.of()));
  }

  private static Check named(String client, long cost, String id) {
    return new Check(Request.of(client), cost, id);
  }

  @ParameterizedTest
  @ValueSource(strings = {"n1", "n2"})
  void aRepeatedRequestGetsTheFirstVerdictAndChargesNothing(String node) {
    Cluster cluster = Cluster.fixedWindow(5);
    String client = cluster.clientOwnedBy("n2");
    assertEquals(3, remaining(cluster.ask(Engine::check, node, named(client, 2, "order-1"))));
    assertEquals(0, remaining(cluster.check(node, Request.of(client), 3)));
    assertFalse(cluster.check(node, client).allowed());
    Verdict repeated = cluster.ask(Engine::check, "n3", named(client, 2, "order-1"));
    assertTrue(repeated.allowed(), "though the limit is spent by now, and n3 or n1 may know it");
    assertEquals(3, remaining(repeated));
    assertFalse(cluster.ask(Engine::check, node, named(client, 1, "order-2")).allowed());
    cluster.refund(node, client, 2);
    assertFalse(cluster.ask(Engine::check, node, named(client, 1, "order-2")).allowed());
    assertEquals(2, remaining(cluster.peek(node, Request.of(client), 1)));
    cluster.time.pass(Duration.ofSeconds(61));
    assertTrue(cluster.ask(Engine::check, node, named(client, 1, "order-2")).allowed());
  }

  @Test
  void repeatedRefundsAndDebitsChangeNothingAndAnIdIsAClientsOwn() {
    Cluster cluster = Cluster.fixedWindow(10);
    String client = cluster.clientOwnedBy("n2");
    cluster.check("n1", Request.of(client), 8);
    for (int i = 0; i < 3; i++) {
      assertEquals(5, remaining(cluster.ask(Engine::refund, "n1", named(client, 3, "r"))));
    }
    for (int i = 0; i < 3; i++) {
      assertEquals(4, remaining(cluster.ask(Engine::debit, "n3", named(client, 1, "r"))));
    }
    String other = cluster.clientOwnedBy("n3");
    assertEquals(9, remaining(cluster.ask(Engine::debit, "n1", named(other, 1, "r"))));
  }

  @Test
  void aRepeatOfACheckWhoseAnswerWasLostIsChargedOnce() {
    Cluster cluster = Cluster.fixedWindow(150);
    String client = cluster.clientOwnedBy("n2");
    cluster.lose((to, message) -> message instanceof AnswerMessage);
    Verdict degraded = cluster.ask(Engine::check, "n1", named(client, 1, "x"));
    assertEquals(Certainty.DEGRADED, degraded.certainty());
    Verdict again = cluster.ask(Engine::check, "n1", named(client, 1, "x"));
    assertEquals(remaining(degraded), remaining(again), "the local bucket, too, charges once");
    cluster.lose((to, message) -> false);
    Verdict exact = cluster.ask(Engine::check, "n3", named(client, 1, "x"));
    assertEquals(149, remaining(exact));
  }

  @Test
  void aRepeatOfADeniedCheckOnTwoOwnersIsDeniedAndLeavesNothingCharged() {
    Cluster cluster = Cluster.mineAndAll(100, 3);
    String client = cluster.clientApartFromAll();
    List<Verdict> verdicts = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      verdicts.add(cluster.ask(Engine::check, "n3", named(client, 1, "id-" + i)));
    }
    for (int i = 0; i < 5; i++) {
      Verdict repeated = cluster.ask(Engine::check, "n3", named(client, 1, "id-" + i));
      assertEquals(verdicts.get(i).allowed(), repeated.allowed());
    }
    assertEquals(97, remaining(cluster.peek("n3", Request.of(client), 1)));
  }

  @Test
  void A9_aRepeatThatPassedKeepsTheChargeThoughTheFirstIsCancelled() {
    Cluster cluster =
        Cluster.of(
            rules(
                """
                rules:
                  - {name: mine, by: client, algorithm: fixed-window, limit: 10, window: 1h}
                  - {name: all, by: global, algorithm: fixed-window, limit: 100, window: 1h,
                     on_unavailable: closed}
                """),
            "n1",
            "n2",
            "n3");
    String client = cluster.clientApartFromAll();
    AtomicInteger asked = new AtomicInteger();
    cluster.lose(
        (to, message) ->
            message instanceof CheckMessage
                && to.name().equals(cluster.ownerOfGlobal("all"))
                && asked.getAndIncrement() == 0);
    Cluster.Answered first = new Cluster.Answered();
    Cluster.Answered repeat = new Cluster.Answered();
    cluster.engine("n3").check(named(client, 1, "order"), first);
    cluster.time.pass(Duration.ofMillis(1));
    cluster.engine("n3").check(named(client, 1, "order"), repeat);
    cluster.time.pass(Cluster.DEADLINE.multipliedBy(2));
    assertTrue(repeat.verdict().allowed());
    assertFalse(first.verdict().allowed(), "its second owner never heard of it");
    assertEquals(9, remaining(cluster.peek("n3", Request.of(client), 1)));
  }

  @Test
  void A9_aRepeatDoesNotPassOnAChargeThatWasNeverMade() {
    Cluster cluster =
        Cluster.of(
            rules(
                """
                rules:
                  - name: two
                    by: client
                    limits:
                      - {name: few, algorithm: fixed-window, limit: 2, window: 1h}
                      - {name: many, algorithm: fixed-window, limit: 10, window: 1h}
                """),
            "n1");
    assertTrue(cluster.ask(Engine::check, "n1", named("c", 2, "a")).allowed());
    Verdict denied = cluster.ask(Engine::check, "n1", named("c", 1, "b"));
    assertFalse(denied.allowed());
    cluster.install(
        rules(
            "rules: [{name: two, by: client, limits: [{name: many, algorithm:"
                + " fixed-window, limit: 10, window: 1h}]}]"));
    Verdict again = cluster.ask(Engine::check, "n1", named("c", 1, "b"));
    assertTrue(again.allowed());
    assertEquals(7, remaining(again), "charged now, as it was not before");
  }
}
