package io.ringfence.rules;

/** What a rule that wins its group does. */
public enum Action {
  /** Counts against its limits. */
  LIMIT,
  /** Lets the request pass without a counter and without asking any other rule. */
  EXEMPT,
  /** Refuses the request without a counter. */
  DENY,
  /** Passes its group without a counter; other groups still count. */
  UNLIMITED
}
