package io.ringfence.rules;

import java.util.List;

/**
 * One compiled rule.
 *
 * @param name unique in its set
 * @param match which requests it applies to
 * @param by the attributes that it counts by, in the file's order; empty for a global rule
 * @param order its group, stage and priority
 * @param effect what it does when it wins its group
 */
public record Rule(String name, Match match, List<String> by, Order order, Effect effect) {

  /** Copies what it counts by. */
  public Rule {
    by = List.copyOf(by);
  }

  /**
   * Where a rule stands among the others.
   *
   * @param group of the applicable rules of one group only the most specific counts
   * @param stage rules of a later stage are asked only if all of the earlier ones passed
   * @param priority decides between equally specific rules of a group; the larger wins
   * @param index the rule's place in the file, from 0
   */
  public record Order(String group, int stage, int priority, int index) {}

  /**
   * What a rule does.
   *
   * @param action whether it counts at all
   * @param limits the limits that it counts against; empty unless the action is LIMIT
   * @param cost what a check of cost 1 is charged, 1 or more
   * @param presentation how its verdicts are shown
   * @param failure what it does when an owner cannot be asked
   */
  public record Effect(
      Action action,
      List<Limit> limits,
      long cost,
      Presentation presentation,
      FailurePolicy failure) {

    /** Copies the limits. */
    public Effect {
      limits = List.copyOf(limits);
    }
  }

  /**
   * How a rule's verdicts are shown.
   *
   * @param shadow decides and counts, but never denies
   * @param status the HTTP status of a denial: 429, or 503 for a ceiling
   */
  public record Presentation(boolean shadow, int status) {}
}
