package io.ringfence.http;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How much of a node its HTTP callers may hold, and for how long.
 *
 * @param connections open connections; 1 to 1,000,000. One more is refused with 503 and closed
 * @param pipelined requests of one connection that may be in progress at once; 1 to 10,000. The
 *     connection is not read while there are that many
 * @param idleNanos a connection on which nothing has moved for that long is closed, at the latest
 *     after half as much again; 1 ms to 1 day
 * @param requestNanos a request must have arrived whole that long after its first bytes; 1 ms to 1
 *     day
 * @param drainNanos how long {@link HttpServer#close} waits for requests in progress; 0 to 1 day
 */
public record HttpLimits(
    int connections, int pipelined, long idleNanos, long requestNanos, long drainNanos) {

  private static final long MIN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long MAX_NANOS = TimeUnit.DAYS.toNanos(1);

  /** 10,000 connections, 128 requests each; 75 s idle, 10 s a request, 5 s to finish. */
  public static final HttpLimits DEFAULT =
      new HttpLimits(
          10_000,
          128,
          TimeUnit.SECONDS.toNanos(75),
          TimeUnit.SECONDS.toNanos(10),
          TimeUnit.SECONDS.toNanos(5));

  /** For operators: 64 connections, 16 requests each, 1 s to finish; times as the default. */
  public static final HttpLimits ADMIN =
      new HttpLimits(
          64, 16, DEFAULT.idleNanos(), DEFAULT.requestNanos(), TimeUnit.SECONDS.toNanos(1));

  /**
   * @throws IllegalArgumentException naming the value that is outside its range
   */
  public HttpLimits {
    require("connections", connections, 1, 1_000_000);
    require("pipelined", pipelined, 1, 10_000);
    require("idleNanos", idleNanos, MIN_NANOS, MAX_NANOS);
    require("requestNanos", requestNanos, MIN_NANOS, MAX_NANOS);
    require("drainNanos", drainNanos, 0, MAX_NANOS);
  }

  /** The same with another {@link #drainNanos}. */
  public HttpLimits draining(Duration drain) {
    return new HttpLimits(connections, pipelined, idleNanos, requestNanos, drain.toNanos());
  }

  private static void require(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          name + " must be from " + min + " to " + max + ", not " + value);
    }
  }
}
