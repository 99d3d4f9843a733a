package io.ringfence.http;

import io.ringfence.membership.View;
import org.jspecify.annotations.Nullable;

/**
 * How a node stands in its cluster at one moment.
 *
 * @param view the view that it holds, or null
 * @param leaseMillis for how long its lease runs, unless it is renewed; 0 without one
 */
public record ViewFacts(@Nullable View view, long leaseMillis) {
  /** A node in no view. */
  public static final ViewFacts NONE = new ViewFacts(null, 0);
}
