package io.ringfence.engine;

import io.ringfence.algorithms.Decision;
import io.ringfence.rules.Limit;
import io.ringfence.rules.Rule;

/**
 * What one limit said of a request. All numbers come from one locked read of one counter.
 *
 * @param rule the rule that applied
 * @param limit the limit of that rule
 * @param answer what the owner, or the failure policy in its place, answered
 */
public record LimitVerdict(Rule rule, Limit limit, Answer answer) {

  /** Whether this limit stands against the request; a shadow rule's never does. */
  public boolean denies() {
    return !answer.allowed() && !rule.effect().presentation().shadow();
  }

  /**
   * The numbers of one limit.
   *
   * @param allowed whether the limit itself would let the request pass
   * @param limit what can pass at once from full
   * @param remaining whole units left: after the charge if the whole check passed, else as they
   *     stand
   * @param retryAfterNanos 0 where allowed; {@link Decision#NEVER} where no wait helps
   * @param resetAtMillis epoch milliseconds, rounded up, or {@link #NO_RESET}
   * @param delayNanos how long to wait before going ahead (a leaking bucket); else 0
   * @param certainty how sure this is
   */
  public record Answer(
      boolean allowed,
      long limit,
      long remaining,
      long retryAfterNanos,
      long resetAtMillis,
      long delayNanos,
      Certainty certainty) {

    /** There is no instant at which this limit resets. */
    public static final long NO_RESET = Long.MIN_VALUE;

    /** The same numbers where nothing was asked that could have been denied. */
    Answer accepted() {
      return new Answer(true, limit, remaining, 0, resetAtMillis, 0, certainty);
    }

    /** The same answer after that time: what is left of the wait. */
    Answer later(long nanos) {
      long wait = retryAfterNanos == Decision.NEVER ? retryAfterNanos : retryAfterNanos - nanos;
      return new Answer(allowed, limit, remaining, wait, resetAtMillis, delayNanos, certainty);
    }

    /** The same answer, only that sure. */
    Answer as(Certainty other) {
      return new Answer(
          allowed, limit, remaining, retryAfterNanos, resetAtMillis, delayNanos, other);
    }

    /** The same answer with another remaining. */
    Answer withRemaining(long units) {
      return new Answer(
          allowed, limit, units, retryAfterNanos, resetAtMillis, delayNanos, certainty);
    }
  }
}
