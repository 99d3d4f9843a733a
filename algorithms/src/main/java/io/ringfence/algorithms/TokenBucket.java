package io.ringfence.algorithms;

/**
 * A bucket that holds up to a capacity of tokens, refilled continuously at limit / window; a
 * request takes its cost in tokens or is denied. Unused allowance is saved up to the capacity and
 * may be spent at once, which is the point of it: in any span of T it lets through at most capacity
 * + T x limit / window, and the first capacity of them in one instant.
 *
 * <p>State: 24 bytes, kept as a {@link VirtualSchedule}.
 */
public final class TokenBucket extends VirtualSchedule implements Algorithm {
  /**
   * A bucket that starts full.
   *
   * @param limit tokens refilled a window, 0..10^12; 0 denies always
   * @param windowNanos 1 ms..400 days
   * @param capacity tokens that a full bucket holds, 1..10^12; 0 if the limit is 0
   */
  public TokenBucket(long limit, long windowNanos, long capacity) {
    this(new Parameters(Kind.TOKEN_BUCKET, limit, windowNanos, capacity));
  }

  TokenBucket(Parameters parameters) {
    super(parameters);
  }

  @Override
  long delayNanos(long aheadNanos) {
    return 0;
  }

  @Override
  public CounterState adopt(Algorithm old, CounterState state, long nowNanos) {
    return adoptFrom(old instanceof TokenBucket same ? same : null, state, nowNanos);
  }

  @Override
  public TokenBucket scaled(long numerator, long denominator) {
    return new TokenBucket(share(numerator, denominator));
  }
}
