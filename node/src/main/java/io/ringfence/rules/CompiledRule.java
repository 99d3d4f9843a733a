package io.ringfence.rules;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rule with what matching needs worked out.
 *
 * <p>{@code group} numbers the group that the rule competes in. Shadow rules compete among
 * themselves: a shadow rule neither hides the rule that is in force nor is hidden by it.
 *
 * <p>{@code rank} orders the rules of a set by how specific they are, the smaller the more
 * specific: class of the match, then more fields, then larger priority. Two rules of equal rank in
 * one group never both apply; the set was checked for that.
 */
final class CompiledRule {
  private final Rule rule;
  private final int group;
  private final int rank;
  private final int[] positions; // place in the order of asking, one for each limit of the rule

  CompiledRule(Rule rule, int group, int rank, int[] positions) {
    this.rule = rule;
    this.group = group;
    this.rank = rank;
    this.positions = positions;
  }

  Rule rule() {
    return rule;
  }

  boolean sameGroup(CompiledRule other) {
    return group == other.group;
  }

  boolean beats(CompiledRule other) {
    return rank < other.rank;
  }

  int position(int limit) {
    return positions[limit];
  }

  int limits() {
    return positions.length;
  }

  boolean applies(Subject subject) {
    for (String attribute : rule.by()) {
      if (!subject.has(attribute)) {
        return false;
      }
    }
    return rule.match().holds(subject) && !(isLenient() && readsAnotherWay(subject));
  }

  /** What would let a request pass uncounted. */
  private boolean isLenient() {
    Action action = rule.effect().action();
    return action == Action.EXEMPT || action == Action.UNLIMITED;
  }

  private boolean readsAnotherWay(Subject subject) {
    if (rule.match().patterns().isEmpty()) {
      return false;
    }
    NormalPath path = subject.path();
    return path != null && path.ambiguous();
  }

  /** The values that this rule counts the request by, in the rule's order. */
  List<String> values(Subject subject) {
    List<String> by = rule.by();
    String[] values = new String[by.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = valueOf(by.get(i), subject);
    }
    return List.of(values);
  }

  Ask.Place place(List<String> values) {
    List<String> by = rule.by();
    if (by.isEmpty()) {
      return new Ask.Place(Ask.Place.RULE, rule.name());
    }
    int client = by.indexOf(Attributes.CLIENT);
    int placing = Math.max(0, client);
    return new Ask.Place(by.get(placing), values.get(placing));
  }

  private String valueOf(String attribute, Subject subject) {
    if (attribute.equals(Attributes.ROUTE)) {
      return rule.match().countedRoute(subject);
    }
    @Nullable String value = subject.value(attribute);
    if (value == null) {
      throw new IllegalStateException(
          "rule " + rule.name() + " does not apply without " + attribute);
    }
    return value;
  }
}
