package io.ringfence.engine;

import io.ringfence.rules.Request;

/**
 * A question to the limiter.
 *
 * @param request who asks, for what
 * @param cost how much it weighs
 */
public record Check(Request request, long cost) {

  /** The largest cost. */
  public static final long MAX_COST = 1_000_000_000_000L;

  /** Validates the cost: 1 to 10^12. */
  public Check {
    if (cost < 1 || cost > MAX_COST) {
      throw new IllegalArgumentException("cost must be from 1 to 1000000000000, not " + cost);
    }
  }
}
