package io.ringfence.engine;

import io.ringfence.rules.Request;
import org.jspecify.annotations.Nullable;

/**
 * A question to the limiter.
 *
 * @param request who asks, for what
 * @param cost how much it weighs; of a refund or a debit the amount
 * @param requestId names the question, so that asking it again within a minute is answered as the
 *     first time and changes nothing; 1 to 128 characters, or null. Two clients may use one name.
 */
public record Check(Request request, long cost, @Nullable String requestId) {

  /** The largest cost. */
  public static final long MAX_COST = 1_000_000_000_000L;

  /** The longest request id, in characters. */
  public static final int MAX_REQUEST_ID_CHARS = 128;

  /** Validates the cost, 1 to 10^12, and the length of the id. */
  public Check {
    if (cost < 1 || cost > MAX_COST) {
      throw new IllegalArgumentException("cost must be from 1 to 1000000000000, not " + cost);
    }
    if (requestId != null && (requestId.isEmpty() || requestId.length() > MAX_REQUEST_ID_CHARS)) {
      throw new IllegalArgumentException(
          "requestId must have 1 to 128 characters, not " + requestId.length());
    }
  }

  /** A question without a name of its own. */
  public Check(Request request, long cost) {
    this(request, cost, null);
  }
}
