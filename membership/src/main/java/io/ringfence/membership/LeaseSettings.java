package io.ringfence.membership;

import java.util.concurrent.TimeUnit;

/**
 * The times of leases. They must be the same on every member: a voter answers nobody whose answers
 * would count longer than its own.
 *
 * @param pingNanos how often members ping the voters; 1 ms to 1 min, default 100 ms
 * @param leaseNanos how long an answer counts, from the sending of its ping; longer than pingNanos,
 *     up to 1 min, default 500 ms
 * @param holdDownNanos how long a member that was away must have been back before it joins; 0 to 10
 *     min, default 2 s
 */
public record LeaseSettings(long pingNanos, long leaseNanos, long holdDownNanos) {
  private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long MOST_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long MOST_HOLD_DOWN_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** The defaults named above. */
  public static final LeaseSettings DEFAULT =
      new LeaseSettings(
          TimeUnit.MILLISECONDS.toNanos(100),
          TimeUnit.MILLISECONDS.toNanos(500),
          TimeUnit.SECONDS.toNanos(2));

  /**
   * @throws IllegalArgumentException when a time is outside its range
   */
  public LeaseSettings {
    requireRange("view.ping", pingNanos, LEAST_NANOS, MOST_NANOS);
    requireRange("view.lease", leaseNanos, LEAST_NANOS, MOST_NANOS);
    requireRange("view.hold_down", holdDownNanos, 0, MOST_HOLD_DOWN_NANOS);
    if (leaseNanos <= pingNanos) {
      throw new IllegalArgumentException("view.lease must be longer than view.ping");
    }
  }

  /**
   * After how long nobody who took part in a view holds a lease from it any more: 1.1 leases, for
   * clocks that do not run alike.
   */
  long lapseNanos() {
    return leaseNanos + leaseNanos / 10;
  }

  /** For how long a member must not have been heard to count as silent: two leases. */
  long silenceNanos() {
    return 2 * leaseNanos;
  }

  private static void requireRange(String name, long nanos, long least, long most) {
    if (nanos < least || nanos > most) {
      throw new IllegalArgumentException(
          name + " of " + nanos + " ns is outside " + least + ".." + most + " ns");
    }
  }
}
