package io.ringfence.algorithms;

/**
 * The generic cell rate algorithm in its virtual-scheduling form (ITU-T I.371): requests are due
 * every window / limit, and one may come early by the time of burst - 1 others. With a burst of 1
 * admitted requests are never closer than window / limit apart, also where that is less than a
 * millisecond. Early requests are denied, not queued.
 *
 * <p>State: 24 bytes, kept as a {@link VirtualSchedule}.
 */
public final class Gcra extends VirtualSchedule implements Algorithm {
  /**
   * A schedule on which the next burst is due now.
   *
   * @param limit requests due a window, 0..10^12; 0 denies always
   * @param windowNanos 1 ms..400 days
   * @param burst how many may pass at once, 1..10^12; 0 if the limit is 0
   */
  public Gcra(long limit, long windowNanos, long burst) {
    this(new Parameters(Kind.GCRA, limit, windowNanos, burst));
  }

  Gcra(Parameters parameters) {
    super(parameters);
  }

  @Override
  long delayNanos(long aheadNanos) {
    return 0;
  }

  @Override
  public CounterState adopt(Algorithm old, CounterState state, long nowNanos) {
    return adoptFrom(old instanceof Gcra same ? same : null, state, nowNanos);
  }

  @Override
  public Gcra scaled(long numerator, long denominator) {
    return new Gcra(share(numerator, denominator));
  }
}
