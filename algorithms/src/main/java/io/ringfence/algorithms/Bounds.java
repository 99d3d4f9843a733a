package io.ringfence.algorithms;

/**
 * The ranges that every algorithm accepts. They are chosen so that all arithmetic stays exact:
 * times and spans below 2^62 add without overflow, and products of two accepted values fit into 128
 * bits (see {@link Ratio}).
 */
final class Bounds {
  static final long MAX_UNITS = 1_000_000_000_000L;
  static final long MIN_WINDOW_NANOS = 1_000_000L;
  static final long MAX_WINDOW_NANOS = 400L * 24 * 60 * 60 * 1_000_000_000L;

  /**
   * The largest distance of a time from its origin, and the longest span that a counter can owe:
   * 146 years.
   */
  static final long MAX_SPAN_NANOS = (1L << 62) - 1;

  private Bounds() {}

  static void requireCost(long cost) {
    if (cost < 1 || cost > MAX_UNITS) {
      throw new IllegalArgumentException("cost " + cost + " is outside 1.." + MAX_UNITS);
    }
  }

  static void requireTime(long nowNanos) {
    if (nowNanos < -MAX_SPAN_NANOS || nowNanos > MAX_SPAN_NANOS) {
      throw new IllegalArgumentException(
          "time "
              + nowNanos
              + " ns is outside plus or minus "
              + MAX_SPAN_NANOS
              + " ns of its origin");
    }
  }

  /** The sum, or {@link Long#MAX_VALUE} where it does not fit. Neither argument may be negative. */
  static long saturatingAdd(long a, long b) {
    long sum = a + b;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }
}
