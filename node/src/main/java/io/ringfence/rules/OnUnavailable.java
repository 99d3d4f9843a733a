package io.ringfence.rules;

/** What a rule answers where the owner of its counter does not answer in time. */
public enum OnUnavailable {
  /** A bounded bucket inside the asking process decides. */
  LOCAL,
  /** The check passes. */
  OPEN,
  /**
   * The check is refused with the status for reduced capacity, not with the one for a spent limit.
   */
  CLOSED
}
