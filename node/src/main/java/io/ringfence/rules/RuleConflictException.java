package io.ringfence.rules;

/** A rule that cannot stand in its set. The message says why, and what would be right. */
public final class RuleConflictException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String rule;
  private final String field;

  RuleConflictException(String rule, String field, String message) {
    super(message);
    this.rule = rule;
    this.field = field;
  }

  /** The name of the rule; of two that contradict each other the later one. */
  public String rule() {
    return rule;
  }

  /** The field of the rule that would have to change. */
  public String field() {
    return field;
  }
}
