package io.ringfence.membership;

import java.util.concurrent.TimeUnit;

/**
 * How patient a {@link ViewKeeper} is. Every time is in nanoseconds, from 1 to 60 seconds' worth.
 *
 * @param batchNanos how long the proposer of a view waits after the first change, so that changes
 *     that come together make one view; default 50 ms
 * @param absenceNanos how long a member may be missing from the introductions before it counts as
 *     gone, so that a gap while discovery regroups removes nobody; default 300 ms
 * @param patienceNanos how long a starting node waits for a candidate that has neither proved
 *     itself nor been refused, before it goes on without it; default 3 s
 * @param resendNanos the least time between two views or two requests sent to the same peer because
 *     of its reports; default 200 ms
 */
public record ViewKeeperSettings(
    long batchNanos, long absenceNanos, long patienceNanos, long resendNanos) {
  private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(60);

  /**
   * @throws IllegalArgumentException when a time is outside its range
   */
  public ViewKeeperSettings {
    requireRange("batchNanos", batchNanos);
    requireRange("absenceNanos", absenceNanos);
    requireRange("patienceNanos", patienceNanos);
    requireRange("resendNanos", resendNanos);
  }

  /** The defaults named above. */
  public static ViewKeeperSettings defaults() {
    return new ViewKeeperSettings(
        TimeUnit.MILLISECONDS.toNanos(50),
        TimeUnit.MILLISECONDS.toNanos(300),
        TimeUnit.SECONDS.toNanos(3),
        TimeUnit.MILLISECONDS.toNanos(200));
  }

  private static void requireRange(String name, long nanos) {
    if (nanos < 1 || nanos > MAX_NANOS) {
      throw new IllegalArgumentException(name + " " + nanos + " is outside 1.." + MAX_NANOS);
    }
  }
}
