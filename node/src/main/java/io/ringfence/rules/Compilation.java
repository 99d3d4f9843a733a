package io.ringfence.rules;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Works out groups, ranks and the order of asking, once for a set. */
final class Compilation {
  /** Equal for rules between which nothing decides. */
  static final Comparator<Rule> BY_SPECIFICITY =
      Comparator.<Rule>comparingInt(rule -> rule.match().specificity())
          .thenComparing(rule -> rule.match().names().size(), Comparator.reverseOrder())
          .thenComparing(rule -> rule.order().priority(), Comparator.reverseOrder());

  /** The order of asking. Sorting is stable, so what is equal here stays in the file's order. */
  private static final Comparator<Slot> BY_TURN =
      Comparator.<Slot>comparingInt(slot -> slot.rule.order().stage())
          .thenComparing(slot -> !slot.rule.by().contains(Attributes.CLIENT))
          .thenComparing(slot -> slot.rule.by().size(), Comparator.reverseOrder())
          .thenComparingLong(slot -> slot.limit().algorithm().limit());

  /** In which a rule competes. */
  record Group(String name, boolean shadow) {
    static Group of(Rule rule) {
      return new Group(rule.order().group(), rule.effect().presentation().shadow());
    }
  }

  /** One limit of one rule, by their places. */
  private record Slot(Rule rule, int ruleIndex, int place) {
    Limit limit() {
      return rule.effect().limits().get(place);
    }
  }

  private Compilation() {}

  static List<CompiledRule> of(List<Rule> rules) {
    int[][] positions = positions(rules);
    int[] ranks = ranks(rules);
    Map<Group, Integer> groups = new HashMap<>();
    List<CompiledRule> compiled = new ArrayList<>();
    for (int i = 0; i < rules.size(); i++) {
      Rule rule = rules.get(i);
      int group = groups.computeIfAbsent(Group.of(rule), unused -> groups.size());
      compiled.add(new CompiledRule(rule, group, ranks[i], positions[i]));
    }
    return compiled;
  }

  private static int[] ranks(List<Rule> rules) {
    List<Integer> sorted = new ArrayList<>(IntStream.range(0, rules.size()).boxed().toList());
    sorted.sort(Comparator.comparing(rules::get, BY_SPECIFICITY));
    int[] ranks = new int[rules.size()];
    for (int i = 1; i < ranks.length; i++) {
      Rule before = rules.get(sorted.get(i - 1));
      Rule here = rules.get(sorted.get(i));
      int step = BY_SPECIFICITY.compare(before, here) == 0 ? 0 : 1;
      ranks[sorted.get(i)] = ranks[sorted.get(i - 1)] + step;
    }
    return ranks;
  }

  private static int[][] positions(List<Rule> rules) {
    List<Slot> slots = new ArrayList<>();
    int[][] positions = new int[rules.size()][];
    for (int i = 0; i < positions.length; i++) {
      Rule rule = rules.get(i);
      positions[i] = new int[rule.effect().limits().size()];
      for (int place = 0; place < positions[i].length; place++) {
        slots.add(new Slot(rule, i, place));
      }
    }
    slots.sort(BY_TURN);
    for (int position = 0; position < slots.size(); position++) {
      Slot slot = slots.get(position);
      positions[slot.ruleIndex][slot.place] = position;
    }
    return positions;
  }
}
