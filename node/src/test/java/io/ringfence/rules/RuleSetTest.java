package io.ringfence.rules;

import static io.ringfence.rules.Given.asked;
import static io.ringfence.rules.Given.request;
import static io.ringfence.rules.Given.rule;
import static io.ringfence.rules.Given.set;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class RuleSetTest {

  @Test
  void aRuleAppliesWhenAllOfItsFieldsHold() {
    RuleSet rules = set(rule("a").route("POST /v1/charges").when("tier", "free", "trial"));

    assertEquals(
        List.of("a"), asked(rules, request("c", "route", "POST /v1/charges", "tier", "trial")));
    assertEquals(
        List.of(), asked(rules, request("c", "route", "POST /v1/charges", "tier", "gold")));
    assertEquals(List.of(), asked(rules, request("c", "route", "POST /v1/charges")));
    assertEquals(List.of(), asked(rules, request("c", "tier", "free")));
  }

  @Test
  void aRuleDoesNotApplyWithoutAnAttributeThatItCountsBy() {
    RuleSet rules = set(rule("a").by("tenant"), rule("b").by("client", "route"));

    assertEquals(List.of("a"), asked(rules, request("c", "tenant", "t1")));
    assertEquals(List.of(), asked(rules, request("c")));
    assertEquals(List.of("b"), asked(rules, request("c", "route", "/x")));
  }

  @Test
  void absentHoldsOnlyWithoutTheAttribute() {
    RuleSet rules = set(rule("anonymous").absent("user").by("ip"), rule("bare").absent("route"));

    assertEquals(List.of("bare", "anonymous"), asked(rules, request("c", "ip", "203.0.113.7")));
    assertEquals(
        List.of(), asked(rules, request("c", "ip", "203.0.113.7", "user", "u", "route", "/x")));
  }

  @Test
  void theMostSpecificOfAGroupWins() {
    RuleSet rules =
        set(
            rule("any"),
            rule("route").route("/x"),
            rule("tier").when("tier", "free"),
            rule("tier+route").when("tier", "free").route("/x"),
            rule("client").when("client", "acme"),
            rule("client+route").when("client", "acme").route("/x"));

    assertEquals(
        List.of("client+route"), asked(rules, request("acme", "route", "/x", "tier", "free")));
    assertEquals(List.of("client"), asked(rules, request("acme", "route", "/y", "tier", "free")));
    assertEquals(List.of("tier+route"), asked(rules, request("c", "route", "/x", "tier", "free")));
    assertEquals(List.of("tier"), asked(rules, request("c", "route", "/y", "tier", "free")));
    assertEquals(List.of("route"), asked(rules, request("c", "route", "/x")));
    assertEquals(List.of("any"), asked(rules, request("c")));
  }

  @Test
  void thenMoreFieldsWinAndThenPriority() {
    RuleSet rules =
        set(
            rule("user").when("user", "u").priority(9),
            rule("user+tenant").when("user", "u").when("tenant", "t"),
            rule("low").when("plan", "p").priority(1),
            rule("high").when("plan", "p").priority(10));

    assertEquals(List.of("user+tenant"), asked(rules, request("c", "user", "u", "tenant", "t")));
    assertEquals(List.of("user"), asked(rules, request("c", "user", "u")));
    assertEquals(List.of("high"), asked(rules, request("c", "plan", "p", "user", "u")));
  }

  @Test
  void aLargerClassBeatsMoreFields() {
    RuleSet rules =
        set(
            rule("client").when("client", "acme"),
            rule("many").when("tier", "free").when("user", "u").when("tenant", "t").route("/x"));

    assertEquals(
        List.of("client"),
        asked(rules, request("acme", "tier", "free", "user", "u", "tenant", "t", "route", "/x")));
  }

  @Test
  void everyGroupHasAWinner() {
    RuleSet rules = set(rule("client"), rule("ip").by("ip"), rule("own").group("other"));

    assertEquals(List.of("client", "own", "ip"), asked(rules, request("c", "ip", "203.0.113.7")));
  }

  @Test
  void theOrderOfAskingIsStageThenClientThenFieldsThenTheSmallerLimit() {
    RuleSet rules =
        set(
            rule("global").by().limit(1),
            rule("tenant+user").by("tenant", "user").limit(7),
            rule("tenant").by("tenant").limit(3),
            rule("user").by("user").limit(2),
            rule("client+tenant").by("client", "tenant").limit(900),
            rule("client").limit("day", 500).limit("second", 5),
            rule("first").by().group("first").stage(1).limit(1_000),
            rule("late").group("late").stage(2).limit(1));

    List<Ask> asks = rules.applicable(request("c", "tenant", "t", "user", "u"), 1).asks();

    assertEquals(
        List.of(
            "client+tenant",
            "client second",
            "client day",
            "tenant+user",
            "user",
            "tenant",
            "global",
            "first",
            "late"),
        asks.stream()
            .map(
                ask ->
                    ask.rule().name()
                        + (ask.limit().name() == null ? "" : " " + ask.limit().name()))
            .toList());
  }

  @Test
  void exemptGoesBeforeDenyAndDenyBeforeEveryLimit() {
    RuleSet rules =
        set(
            rule("limit"),
            rule("deny").ip("203.0.113.0/24").by().action(Action.DENY),
            rule("exempt").route("GET /health/**").by().action(Action.EXEMPT),
            rule("exempt too").route("GET /**").by().action(Action.EXEMPT));

    assertEquals(
        List.of("EXEMPT exempt"),
        asked(rules, request("c", "ip", "203.0.113.7", "route", "GET /health/live")));
    assertEquals(
        List.of("DENY deny"), asked(rules, request("c", "ip", "203.0.113.7", "route", "PUT /x")));
    assertEquals(List.of("limit"), asked(rules, request("c", "route", "PUT /x")));
  }

  @Test
  void unlimitedWinsItsGroupAndOtherGroupsStillCount() {
    RuleSet rules =
        set(
            rule("client"),
            rule("partner").when("client", "acme").action(Action.UNLIMITED),
            rule("ceiling").by());

    assertEquals(List.of("ceiling"), asked(rules, request("acme")));
    assertEquals(List.of("client", "ceiling"), asked(rules, request("c")));
  }

  @Test
  void aShadowRuleNeitherHidesTheRuleInForceNorIsHiddenByIt() {
    RuleSet rules =
        set(
            rule("now").when("tier", "free"),
            rule("planned").when("tier", "free").shadow(),
            rule("broad").shadow());

    assertEquals(List.of("now", "planned"), asked(rules, request("c", "tier", "free")));
    assertEquals(List.of("broad"), asked(rules, request("c")));
  }

  @Test
  void aCounterIsPlacedByItsClientElseItsFirstValueElseItsRule() {
    RuleSet rules =
        set(
            rule("a").by("tenant", "client"),
            rule("b").by("tenant", "ip"),
            rule("c").by("route").route("GET /v1/{id}"),
            rule("d").by());

    List<Ask> asks =
        rules
            .applicable(
                request("cust", "tenant", "t1", "ip", "::ffff:203.0.113.7", "route", "GET /v1/7"),
                1)
            .asks();

    assertEquals(List.of("t1", "cust"), asks.get(0).values());
    assertEquals(new Ask.Place("client", "cust"), asks.get(0).place());
    assertEquals(List.of("t1", "203.0.113.7"), asks.get(1).values());
    assertEquals(new Ask.Place("tenant", "t1"), asks.get(1).place());
    assertEquals(List.of("GET /v1/*"), asks.get(2).values());
    assertEquals(new Ask.Place("route", "GET /v1/*"), asks.get(2).place());
    assertEquals(List.of(), asks.get(3).values());
    assertEquals(new Ask.Place("rule", "d"), asks.get(3).place());
  }

  @Test
  void byRouteCountsTheFirstPatternThatFitsAndNeverTheRawPath() {
    RuleSet rules =
        set(rule("a").by("client", "route").route("/a/*", "/a/b"), rule("b").by("route"));

    assertEquals(
        List.of("c", "/a/*"),
        rules.applicable(request("c", "route", "/a//b/"), 1).asks().get(0).values());
    assertEquals(
        List.of("/**"), rules.applicable(request("c", "route", "/z"), 1).asks().get(0).values());
  }

  @Test
  void whatIsChargedIsTheProductCutAtTheLargestCost() {
    RuleSet rules = set(rule("a").cost(5));

    assertEquals(15, rules.applicable(request("c"), 3).asks().get(0).cost());
    assertEquals(
        1_000_000_000_000L, rules.applicable(request("c"), 200_000_000_001L).asks().get(0).cost());
    assertEquals(
        1_000_000_000_000L,
        rules.applicable(request("c"), 1_000_000_000_000L).asks().get(0).cost());
    assertEquals(1_000_000_000_000L, RuleSet.charge(1_000_000_000_000L, 1_000_000_000_000L));
  }

  @Test
  void aCostOutsideItsRangeIsMisuse() {
    RuleSet rules = set(rule("a"));

    for (long cost : new long[] {0, -1, 1_000_000_000_001L, Long.MIN_VALUE, Long.MAX_VALUE}) {
      assertThrows(
          IllegalArgumentException.class,
          () -> rules.applicable(request("c"), cost),
          () -> "" + cost);
    }
  }

  @Test
  void C32_rulesOfThreeGroupsAreAllAskedAndNamed() {
    RuleSet rules =
        set(
            rule("items").group("items").limit(1),
            rule("user").group("user").limit(5),
            rule("root").group("root").limit(9));

    assertEquals(List.of("items", "user", "root"), asked(rules, request("c")));
  }

  @Test
  void aLimitIsFoundByItsId() {
    RuleSet rules = set(rule("a").limit("x", 1).limit("y", 2), rule("b").by("ip"));

    for (Rule rule : rules.rules()) {
      for (Limit limit : rule.effect().limits()) {
        RuleSet.Counted counted = rules.limit(limit.id());
        assertNotNull(counted);
        assertSame(limit, counted.limit());
        assertSame(rule, counted.rule());
      }
    }
    assertNull(rules.limit(12345));
  }

  @Test
  void twoLimitsOfOneIdentityAreRefused() {
    RuleConflictException refused =
        assertThrows(
            RuleConflictException.class,
            () -> {
              Rule a = set(rule("a")).rules().get(0);
              Rule b = set(rule("b").by("ip")).rules().get(0);
              Limit forged =
                  new Limit(
                      a.effect().limits().get(0).id(),
                      null,
                      a.effect().limits().get(0).algorithm(),
                      "60s");
              Rule.Effect effect = b.effect();
              new RuleSet(
                  "x",
                  List.of(
                      a,
                      new Rule(
                          b.name(),
                          b.match(),
                          b.by(),
                          b.order(),
                          new Rule.Effect(
                              effect.action(),
                              List.of(forged),
                              effect.cost(),
                              effect.presentation(),
                              effect.failure()))));
            });

    assertEquals("name", refused.field());
    assertTrue(String.valueOf(refused.getMessage()).contains("identity"));
  }

  @Test
  void aSetWithoutRulesAsksForNothing() {
    assertEquals(List.of(), asked(set(), request("c")));
  }
}
