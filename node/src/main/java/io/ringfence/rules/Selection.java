package io.ringfence.rules;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules that win for one request, while they are being found. For one thread.
 *
 * <p>EXEMPT goes before everything, DENY next, the first in file order of each; neither takes part
 * in a group. Of the others the most specific of each group stays, UNLIMITED ones included: those
 * hide the less specific rules of their group and ask for nothing themselves.
 */
final class Selection {
  private final Subject subject;
  private final List<CompiledRule> winners = new ArrayList<>(4);
  private @Nullable Rule shortcut;

  Selection(Subject subject) {
    this.subject = subject;
  }

  void offer(CompiledRule candidate) {
    if (!candidate.applies(subject)) {
      return;
    }
    switch (candidate.rule().effect().action()) {
      case EXEMPT, DENY -> offerShortcut(candidate.rule());
      case LIMIT, UNLIMITED -> offerWinner(candidate);
    }
  }

  RuleSet.Applicable result(long cost) {
    return shortcut != null
        ? new RuleSet.Applicable(shortcut, List.of())
        : new RuleSet.Applicable(null, asks(cost));
  }

  private void offerShortcut(Rule candidate) {
    Rule best = shortcut;
    if (best == null || goesBefore(candidate, best)) {
      shortcut = candidate;
    }
  }

  private static boolean goesBefore(Rule a, Rule b) {
    boolean exempts = a.effect().action() == Action.EXEMPT;
    if (exempts != (b.effect().action() == Action.EXEMPT)) {
      return exempts;
    }
    return a.order().index() < b.order().index();
  }

  private void offerWinner(CompiledRule candidate) {
    for (int i = 0; i < winners.size(); i++) {
      CompiledRule rival = winners.get(i);
      if (rival.sameGroup(candidate)) {
        if (candidate.beats(rival)) {
          winners.set(i, candidate);
        }
        return;
      }
    }
    winners.add(candidate);
  }

  private List<Ask> asks(long cost) {
    int count = 0;
    for (CompiledRule winner : winners) {
      count += winner.limits();
    }
    Ask[] asks = new Ask[count];
    int[] positions = new int[count];
    int filled = 0;
    for (CompiledRule winner : winners) {
      Rule rule = winner.rule();
      List<Limit> limits = rule.effect().limits();
      if (limits.isEmpty()) {
        continue;
      }
      List<String> values = winner.values(subject);
      Ask.Place place = winner.place(values);
      long charge = RuleSet.charge(cost, rule.effect().cost());
      for (int i = 0; i < limits.size(); i++) {
        int at = placeFor(positions, filled++, winner.position(i));
        System.arraycopy(asks, at, asks, at + 1, filled - 1 - at);
        asks[at] = new Ask(rule, limits.get(i), values, place, charge);
      }
    }
    return List.of(asks);
  }

  /** Inserts a position into the first {@code filled} sorted ones; where it went. */
  private static int placeFor(int[] positions, int filled, int position) {
    int at = -(Arrays.binarySearch(positions, 0, filled, position) + 1);
    System.arraycopy(positions, at, positions, at + 1, filled - at);
    positions[at] = position;
    return at;
  }
}
