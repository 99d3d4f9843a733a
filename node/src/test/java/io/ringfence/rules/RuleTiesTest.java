package io.ringfence.rules;

import static io.ringfence.rules.Given.rule;
import static io.ringfence.rules.Given.set;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RuleTiesTest {

  @Test
  void rulesBetweenWhichNothingDecidesAreRefused() {
    refused(rule("a"), rule("b"));
    refused(rule("a").route("/x"), rule("b").route("/x"));
    refused(rule("a").route("/x"), rule("b").route("GET /x"));
    refused(rule("a").route("/x/*"), rule("b").route("/x/y"));
    refused(rule("a").route("/x/**"), rule("b").route("/y", "/x/y/z"));
    refused(rule("a").when("tier", "free", "gold"), rule("b").when("tier", "gold"));
    refused(rule("a").when("user", "u"), rule("b").when("tenant", "t"));
    refused(rule("a").ip("10.0.0.0/8"), rule("b").ip("10.9.0.0/16"));
    refused(rule("a").absent("user"), rule("b").absent("user"));
    refused(rule("a").absent("user"), rule("b").absent("tenant"));
    refused(rule("a").by("ip").group("g"), rule("b").by("client").group("g"));
    refused(rule("a").shadow(), rule("b").shadow());
    refused(rule("a"), rule("b").action(Action.UNLIMITED));
  }

  @Test
  void rulesThatNeverMeetAreNoTie() {
    set(rule("a").route("/x"), rule("b").route("/y"));
    set(rule("a").route("GET /x"), rule("b").route("POST /x"));
    set(rule("a").route("/x/*"), rule("b").route("/x/*/z"));
    set(rule("a").when("tier", "free"), rule("b").when("tier", "gold"));
    set(rule("a").when("client", "x"), rule("b").when("client", "y"));
    set(rule("a").ip("10.0.0.0/8"), rule("b").ip("11.0.0.0/8", "::/0"));
    set(rule("a").absent("user"), rule("b").when("user", "u"));
    set(rule("a").absent("user").group("g"), rule("b").absent("ip").by("user").group("g"));
  }

  @Test
  void rulesBetweenWhichSomethingDecidesAreNoTie() {
    set(rule("a"), rule("b").priority(1));
    set(rule("a"), rule("b").group("other"));
    set(rule("a"), rule("b").by("ip"));
    set(rule("a"), rule("b").shadow());
    set(rule("a").route("/x"), rule("b").route("/x").when("user", "u"));
    set(rule("a").route("/x"), rule("b").when("tier", "free"));
    set(rule("a").by().action(Action.EXEMPT), rule("b").by().action(Action.EXEMPT));
    set(rule("a").by().action(Action.DENY), rule("b").by().action(Action.DENY));
  }

  @Test
  void theMessageNamesBothRulesAndTheWayOut() {
    RuleConflictException refused =
        assertThrows(RuleConflictException.class, () -> set(rule("first"), rule("second")));

    assertEquals("second", refused.rule());
    assertEquals("priority", refused.field());
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains("ties with rule first"), message);
    assertTrue(message.contains("different priorities or groups"), message);
  }

  @Test
  void aRuleThatNeverAppliesIsRefused() {
    RuleConflictException refused =
        assertThrows(RuleConflictException.class, () -> set(rule("a").absent("user").by("user")));

    assertEquals("by", refused.field());
  }

  @Test
  void namesAreUnique() {
    assertEquals(
        "name",
        assertThrows(RuleConflictException.class, () -> set(rule("a"), rule("a").by("ip")))
            .field());
  }

  @Test
  void aRequestNeverMeetsMoreCountersThanOneMessageHolds() {
    set(groups(RuleSet.MAX_ASKS));

    assertEquals(
        "group",
        assertThrows(RuleConflictException.class, () -> set(groups(RuleSet.MAX_ASKS + 1))).field());
  }

  @Test
  void theNumberOfRulesIsBounded() {
    set(clients(RuleSet.MAX_RULES));

    assertEquals(
        "rules",
        assertThrows(RuleConflictException.class, () -> set(clients(RuleSet.MAX_RULES + 1)))
            .field());
  }

  @Test
  void conditionsAreForTheirFields() {
    for (Map<String, Condition> wrong :
        List.of(
            Map.of("client", Condition.absent()),
            Map.of("route", Condition.oneOf(List.of("/x"))),
            Map.of("ip", Condition.oneOf(List.of("1.2.3.4"))),
            Map.of("tier", Condition.routes(List.of(RoutePattern.parse("/x")))))) {
      assertThrows(IllegalArgumentException.class, () -> Match.of(wrong), wrong::toString);
    }
    assertThrows(IllegalArgumentException.class, () -> Condition.oneOf(List.of()));
  }

  private static Given[] groups(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> rule("r" + i).group("g" + i))
        .toArray(Given[]::new);
  }

  private static Given[] clients(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> rule("r" + i).when("client", "c" + i))
        .toArray(Given[]::new);
  }

  private static void refused(Given a, Given b) {
    RuleConflictException conflict = assertThrows(RuleConflictException.class, () -> set(a, b));
    assertEquals("priority", conflict.field());
    assertEquals("b", conflict.rule());
  }
}
