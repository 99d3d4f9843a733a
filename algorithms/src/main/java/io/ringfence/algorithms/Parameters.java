package io.ringfence.algorithms;

/**
 * What a limit is configured with, checked. Two algorithms with equal parameters decide alike.
 *
 * @param limit units a window, 0..10^12; 0 denies always
 * @param windowNanos 1 ms..400 days
 * @param burst capacity of a token bucket and burst of GCRA, 1..10^12; queue of a leaking bucket,
 *     0..10^12; 0 for the windows and wherever the limit is 0
 */
record Parameters(Kind kind, long limit, long windowNanos, long burst) {
  Parameters {
    require(
        limit >= 0 && limit <= Bounds.MAX_UNITS, kind, "limit", limit, "0.." + Bounds.MAX_UNITS);
    require(
        windowNanos >= Bounds.MIN_WINDOW_NANOS && windowNanos <= Bounds.MAX_WINDOW_NANOS,
        kind,
        "window",
        windowNanos,
        Bounds.MIN_WINDOW_NANOS + ".." + Bounds.MAX_WINDOW_NANOS + " ns (1 ms to 400 days)");
    if (limit == 0) {
      require(burst == 0, kind, burstName(kind), burst, "0..0, because a limit of 0 denies always");
    } else {
      requireBurst(kind, burst);
    }
  }

  private static void requireBurst(Kind kind, long burst) {
    switch (kind) {
      case TOKEN_BUCKET, GCRA ->
          require(
              burst >= 1 && burst <= Bounds.MAX_UNITS,
              kind,
              burstName(kind),
              burst,
              "1.." + Bounds.MAX_UNITS);
      case LEAKING_BUCKET ->
          require(
              burst >= 0 && burst <= Bounds.MAX_UNITS,
              kind,
              burstName(kind),
              burst,
              "0.." + Bounds.MAX_UNITS);
      case FIXED_WINDOW, SLIDING_WINDOW_LOG, SLIDING_WINDOW_COUNTER ->
          require(
              burst == 0,
              kind,
              burstName(kind),
              burst,
              "0..0, because this algorithm has no burst");
    }
  }

  private static String burstName(Kind kind) {
    return switch (kind) {
      case TOKEN_BUCKET -> "capacity";
      case LEAKING_BUCKET -> "queue";
      case GCRA, FIXED_WINDOW, SLIDING_WINDOW_LOG, SLIDING_WINDOW_COUNTER -> "burst";
    };
  }

  private static void require(boolean holds, Kind kind, String name, long value, String range) {
    if (!holds) {
      throw new IllegalArgumentException(
          name + " " + value + " of " + kind.configName() + " is outside " + range);
    }
  }

  /** What can pass at once from full. */
  long capacity() {
    return switch (kind) {
      case TOKEN_BUCKET, GCRA -> burst;
      case LEAKING_BUCKET -> limit == 0 ? 0 : burst + 1;
      case FIXED_WINDOW, SLIDING_WINDOW_LOG, SLIDING_WINDOW_COUNTER -> limit;
    };
  }

  /**
   * A share of this limit: rate and capacity times numerator / denominator, rounded down but at
   * least 1, so that a share is never a ban. A limit of 0 stays 0, so that a share is never a leak.
   */
  Parameters scaled(long numerator, long denominator) {
    if (denominator < 1 || denominator > Bounds.MAX_UNITS) {
      throw new IllegalArgumentException(
          "denominator " + denominator + " is outside 1.." + Bounds.MAX_UNITS);
    }
    if (numerator < 0 || numerator > denominator) {
      throw new IllegalArgumentException(
          "numerator " + numerator + " is outside 0.." + denominator);
    }
    if (limit == 0) {
      return this;
    }
    long share = Math.max(1, Ratio.floor(limit, numerator, denominator));
    long atOnce = Math.max(1, Ratio.floor(capacity(), numerator, denominator));
    return switch (kind) {
      case TOKEN_BUCKET, GCRA -> new Parameters(kind, share, windowNanos, atOnce);
      case LEAKING_BUCKET -> new Parameters(kind, share, windowNanos, atOnce - 1);
      case FIXED_WINDOW, SLIDING_WINDOW_LOG, SLIDING_WINDOW_COUNTER ->
          new Parameters(kind, share, windowNanos, 0);
    };
  }

  @Override
  public String toString() {
    return kind.configName()
        + "(limit="
        + limit
        + ", window="
        + windowNanos
        + "ns, burst="
        + burst
        + ")";
  }
}
