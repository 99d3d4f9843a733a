package io.ringfence.engine;

import java.time.Duration;

/**
 * How closely copies follow.
 *
 * @param interval changes are sent to the copies so often; 1 ms to 1 s
 * @param maxLag where a copy is further behind than that, checks wait for it; more than the
 *     interval, 1 minute at most
 */
public record ReplicationSettings(Duration interval, Duration maxLag) {

  /** 10 ms, 100 ms. */
  public static final ReplicationSettings DEFAULT =
      new ReplicationSettings(Duration.ofMillis(10), Duration.ofMillis(100));

  /** Validates the ranges. */
  public ReplicationSettings {
    if (interval.toMillis() < 1 || interval.compareTo(Duration.ofSeconds(1)) > 0) {
      throw new IllegalArgumentException(
          "replication.interval must be from 1ms to 1s, not " + interval);
    }
    if (maxLag.compareTo(interval) <= 0 || maxLag.compareTo(Duration.ofMinutes(1)) > 0) {
      throw new IllegalArgumentException(
          "replication.max_lag must be longer than interval, and at most 1m, not " + maxLag);
    }
  }
}
