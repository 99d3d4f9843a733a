package io.ringfence.algorithms;

/**
 * A queue that drains at limit / window, in the form that delays: an admitted request is told how
 * long to wait before it goes ahead ({@link Decision#delayNanos()}), so what comes out is spaced by
 * window / limit however it came in. One request may go at once and {@code queue} more may wait;
 * beyond that the answer is a denial. Nothing is stored per waiting request, and nobody has to hold
 * a thread: the wait is the caller's.
 *
 * <p>A request of cost k waits for what is ahead of it, and the next one for its k places. Delays
 * are rounded up from exact places in the schedule, so they do not drift.
 *
 * <p>State: 24 bytes, kept as a {@link VirtualSchedule}.
 */
public final class LeakingBucket extends VirtualSchedule implements Algorithm {
  /**
   * An empty queue.
   *
   * @param limit requests that leave a window, 0..10^12; 0 denies always
   * @param windowNanos 1 ms..400 days
   * @param queue how many may wait, 0..10^12; 0 if the limit is 0
   */
  public LeakingBucket(long limit, long windowNanos, long queue) {
    this(new Parameters(Kind.LEAKING_BUCKET, limit, windowNanos, queue));
  }

  LeakingBucket(Parameters parameters) {
    super(parameters);
  }

  @Override
  long delayNanos(long aheadNanos) {
    return aheadNanos;
  }

  @Override
  public CounterState adopt(Algorithm old, CounterState state, long nowNanos) {
    return adoptFrom(old instanceof LeakingBucket same ? same : null, state, nowNanos);
  }

  @Override
  public LeakingBucket scaled(long numerator, long denominator) {
    return new LeakingBucket(share(numerator, denominator));
  }
}
