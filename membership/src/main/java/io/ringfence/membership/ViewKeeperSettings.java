package io.ringfence.membership;

import java.util.concurrent.TimeUnit;

/**
 * How patient a {@link ViewKeeper} is. Every time is in nanoseconds, from 1 to 60 seconds' worth.
 *
 * @param batchNanos how long the proposer of a view waits after the first change, so that changes
 *     that come together make one view; default 50 ms
 * @param patienceNanos how long a starting node waits for a candidate that has neither proved
 *     itself nor been refused, before it goes on without it; default 3 s
 * @param resendNanos the least time between two sendings of the same, and between two requests to
 *     one peer; default 200 ms
 * @param aloneNanos how long a node whose lease has lapsed, and which has proof that every other
 *     voter is dead, waits before it gives its view up; default 5 s
 */
public record ViewKeeperSettings(
    long batchNanos, long patienceNanos, long resendNanos, long aloneNanos) {
  private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(60);

  /**
   * @throws IllegalArgumentException when a time is outside its range
   */
  public ViewKeeperSettings {
    requireRange("batchNanos", batchNanos);
    requireRange("patienceNanos", patienceNanos);
    requireRange("resendNanos", resendNanos);
    requireRange("aloneNanos", aloneNanos);
  }

  /** The defaults named above. */
  public static ViewKeeperSettings defaults() {
    return new ViewKeeperSettings(
        TimeUnit.MILLISECONDS.toNanos(50),
        TimeUnit.SECONDS.toNanos(3),
        TimeUnit.MILLISECONDS.toNanos(200),
        TimeUnit.SECONDS.toNanos(5));
  }

  private static void requireRange(String name, long nanos) {
    if (nanos < 1 || nanos > MAX_NANOS) {
      throw new IllegalArgumentException(name + " " + nanos + " is outside 1.." + MAX_NANOS);
    }
  }
}
