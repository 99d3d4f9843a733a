package io.ringfence.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Random sets against a matcher that looks at every rule, every time, in the plainest way. */
class RuleSetPropertyTest {
  private static final List<String> ROUTES =
      List.of("/a", "/a/b", "/a/*", "/a/**", "/**", "GET /a", "POST|PUT /a/b", "/b/{id}/c");

  @Property(tries = 300)
  void theIndexedSetAgreesWithLookingAtEveryRule(@ForAll long seed) {
    Random random = new Random(seed);
    RuleSet set = someSet(random);
    for (int i = 0; i < 40; i++) {
      Request request = someRequest(random);
      List<String> asked = Given.asked(set, request);
      boolean shortcut = asked.size() == 1 && asked.get(0).contains(" ");
      assertEquals(
          plain(set.rules(), request),
          shortcut ? Set.of(asked.get(0)) : new TreeSet<>(asked),
          () -> "seed " + seed + ", " + request);
    }
  }

  private static RuleSet someSet(Random random) {
    List<Given> rules = new ArrayList<>();
    int size = 1 + random.nextInt(8);
    for (int i = 0; i < size; i++) {
      rules.add(someRule(random, "r" + i).priority(i));
    }
    return Given.set(rules.toArray(Given[]::new));
  }

  private static Given someRule(Random random, String name) {
    Given rule = Given.rule(name);
    if (random.nextInt(3) == 0) {
      rule.when("client", some(random, "c1", "c2", "c3"));
    }
    if (random.nextInt(3) == 0) {
      rule.when("tier", some(random, "free", "gold"));
    }
    if (random.nextInt(2) == 0) {
      rule.route(
          ROUTES.get(random.nextInt(ROUTES.size())), ROUTES.get(random.nextInt(ROUTES.size())));
    }
    if (random.nextInt(4) == 0) {
      rule.when("user", "u1");
    }
    switch (random.nextInt(5)) {
      case 0 -> rule.by("ip");
      case 1 -> rule.by();
      case 2 -> rule.by("client", "tenant");
      default -> rule.by("client");
    }
    switch (random.nextInt(12)) {
      case 0 -> rule.by().action(Action.EXEMPT);
      case 1 -> rule.by().action(Action.DENY);
      case 2 -> rule.action(Action.UNLIMITED);
      case 3 -> rule.shadow();
      default -> {}
    }
    return rule;
  }

  private static Request someRequest(Random random) {
    Map<String, String> attributes = new LinkedHashMap<>();
    put(random, attributes, "user", some(random, "u1", "u2"));
    put(random, attributes, "ip", some(random, "10.0.0.1", "::1"));
    put(random, attributes, "tenant", "t1");
    boolean bare = random.nextInt(3) == 0;
    return new Request(
        some(random, "c1", "c2", "c9"),
        bare ? null : some(random, "GET", "POST"),
        random.nextInt(4) == 0
            ? null
            : some(random, "/a", "/a/b", "/a/b/c", "/b/x/c", "/b", "//a/"),
        random.nextBoolean() ? null : some(random, "free", "gold", "x"),
        attributes);
  }

  private static void put(Random random, Map<String, String> into, String name, String value) {
    if (random.nextBoolean()) {
      into.put(name, value);
    }
  }

  private static String some(Random random, String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private static Set<String> plain(List<Rule> rules, Request request) {
    Subject subject = new Subject(request);
    List<Rule> applicable =
        rules.stream()
            .filter(rule -> rule.match().holds(subject))
            .filter(rule -> rule.by().stream().allMatch(subject::has))
            .toList();
    for (Action action : List.of(Action.EXEMPT, Action.DENY)) {
      for (Rule rule : applicable) {
        if (rule.effect().action() == action) {
          return Set.of(action + " " + rule.name());
        }
      }
    }
    Map<String, Rule> winners = new HashMap<>();
    for (Rule rule : applicable) {
      String group = rule.order().group() + rule.effect().presentation().shadow();
      Rule best = winners.get(group);
      if (best == null || wins(rule, best)) {
        winners.put(group, rule);
      }
    }
    Set<String> names = new HashSet<>();
    for (Rule rule : winners.values()) {
      if (rule.effect().action() == Action.LIMIT) {
        names.add(rule.name());
      }
    }
    return names;
  }

  private static boolean wins(Rule a, Rule b) {
    if (a.match().specificity() != b.match().specificity()) {
      return a.match().specificity() < b.match().specificity();
    }
    if (a.match().names().size() != b.match().names().size()) {
      return a.match().names().size() > b.match().names().size();
    }
    return a.order().priority() > b.order().priority();
  }
}
