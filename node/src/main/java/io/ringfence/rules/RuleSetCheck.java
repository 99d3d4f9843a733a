package io.ringfence.rules;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Refuses sets in which rules contradict each other, or that could outgrow a bound. */
final class RuleSetCheck {
  private RuleSetCheck() {}

  static void check(List<Rule> rules) {
    if (rules.size() > RuleSet.MAX_RULES) {
      throw new RuleConflictException(
          rules.get(RuleSet.MAX_RULES).name(),
          "rules",
          "a set has at most " + RuleSet.MAX_RULES + " rules, not " + rules.size());
    }
    Set<String> names = new HashSet<>();
    for (Rule rule : rules) {
      if (!names.add(rule.name())) {
        throw new RuleConflictException(rule.name(), "name", "is the name of another rule");
      }
      checkAlone(rule);
    }
    Map<Compilation.Group, List<Rule>> groups = new HashMap<>();
    for (Rule rule : rules) {
      if (competes(rule)) {
        groups.computeIfAbsent(Compilation.Group.of(rule), unused -> new ArrayList<>()).add(rule);
      }
    }
    groups.values().forEach(RuleSetCheck::checkTies);
    checkAsks(rules, groups);
  }

  /** All limits by id, ascending; refuses two of one id. */
  static RuleSet.Counted[] limitsById(List<Rule> rules) {
    List<RuleSet.Counted> all = new ArrayList<>();
    for (Rule rule : rules) {
      rule.effect().limits().forEach(limit -> all.add(new RuleSet.Counted(rule, limit)));
    }
    all.sort(Comparator.comparingLong(counted -> counted.limit().id()));
    for (int i = 1; i < all.size(); i++) {
      if (all.get(i - 1).limit().id() == all.get(i).limit().id()) {
        throw new RuleConflictException(
            all.get(i).rule().name(),
            "name",
            "has a limit whose identity is also that of a limit of rule "
                + all.get(i - 1).rule().name()
                + "; give one of them another name");
      }
    }
    return all.toArray(RuleSet.Counted[]::new);
  }

  private static boolean competes(Rule rule) {
    Action action = rule.effect().action();
    return action == Action.LIMIT || action == Action.UNLIMITED;
  }

  private static void checkAlone(Rule rule) {
    for (String attribute : rule.by()) {
      if (rule.match().demandsAbsent(attribute)) {
        throw new RuleConflictException(
            rule.name(),
            "by",
            "counts by " + attribute + ", which its match wants absent: the rule never applies");
      }
    }
  }

  /** Within one group: those between which nothing decides must not meet in one request. */
  private static void checkTies(List<Rule> group) {
    List<Rule> sorted = new ArrayList<>(group);
    sorted.sort(Compilation.BY_SPECIFICITY);
    for (int i = 0; i < sorted.size(); i++) {
      Rule first = sorted.get(i);
      for (int j = i + 1; j < sorted.size(); j++) {
        Rule second = sorted.get(j);
        if (Compilation.BY_SPECIFICITY.compare(first, second) != 0) {
          break;
        }
        if (mayBothApply(first, second)) {
          throw new RuleConflictException(
              second.name(),
              "priority",
              "ties with rule "
                  + first.name()
                  + ": both may apply to one request, both are in group "
                  + first.order().group()
                  + " and equally specific; give them different priorities or groups");
        }
      }
    }
  }

  private static boolean mayBothApply(Rule a, Rule b) {
    return a.match().overlaps(b.match())
        && a.match().possibleWith(b.by())
        && b.match().possibleWith(a.by());
  }

  /** One winner a group: what the largest of each sum up to is the most that a request can meet. */
  private static void checkAsks(List<Rule> rules, Map<Compilation.Group, List<Rule>> groups) {
    int most = 0;
    for (List<Rule> group : groups.values()) {
      most += group.stream().mapToInt(rule -> rule.effect().limits().size()).max().orElse(0);
    }
    if (most > RuleSet.MAX_ASKS) {
      throw new RuleConflictException(
          rules.get(rules.size() - 1).name(),
          "group",
          "the rules of this set could make one request pass "
              + most
              + " counters; at most "
              + RuleSet.MAX_ASKS
              + " are allowed: put rules that exclude each other into one group");
    }
  }
}
