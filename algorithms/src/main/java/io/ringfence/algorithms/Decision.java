package io.ringfence.algorithms;

/**
 * The answer to one check, with every number that explains it, all taken from one state at one
 * instant.
 *
 * @param allowed whether the cost fits
 * @param limit what can pass at once from full: the capacity of a token bucket, the burst of GCRA,
 *     1 + queue of a leaking bucket, else the limit
 * @param remaining whole units that would still pass now, rounded down, never below 0
 * @param retryAfterNanos how long to wait until the same cost passes, if nobody else asks
 *     meanwhile: 0 when allowed, {@link #NEVER} when no wait helps; rounded up to a nanosecond and
 *     counted from the newest time that the counter has seen
 * @param resetAtNanos on the algorithm's {@link Timeline}: the end of the window (fixed window,
 *     sliding counter), the instant of being full again, rounded up (token bucket, GCRA, leaking
 *     bucket), or when the oldest admitted request stops counting (log). The counter's own time
 *     when there is nothing to wait for
 * @param delayNanos how long an admitted caller must wait before going ahead, rounded up; 0 for all
 *     but a leaking bucket
 */
public record Decision(
    boolean allowed,
    long limit,
    long remaining,
    long retryAfterNanos,
    long resetAtNanos,
    long delayNanos) {
  /** The {@link #retryAfterNanos} of a cost that can never pass. */
  public static final long NEVER = Long.MAX_VALUE;

  /** Whether no wait, however long, lets this cost pass. */
  public boolean never() {
    return retryAfterNanos == NEVER;
  }
}
