package io.ringfence.chaos.faults;

import java.time.Duration;

/**
 * What the node file says of times, as far as bounds are made of it.
 *
 * @param deadline forward.deadline
 * @param lag replication.max_lag and replication.interval together
 * @param lease view.lease
 */
public record Timings(Duration deadline, Duration lag, Duration lease) {
  private static final double NEARLY = 0.8;

  /** Whether a check that took so long may have reached an owner that did not answer in time. */
  boolean waitedOut(Check check) {
    return check.byPolicy() && check.tookNanos() >= NEARLY * deadline.toNanos();
  }
}
