package io.ringfence.http;

import io.ringfence.engine.SlotCounts;
import io.ringfence.membership.View;
import org.jspecify.annotations.Nullable;

/**
 * How a node stands in its cluster at one moment.
 *
 * @param view the view that it holds, or null
 * @param leaseMillis for how long its lease runs, unless it is renewed; 0 without one
 * @param slots how its slots stand
 * @param replicationLagMillis how far behind the copy is that is furthest behind
 * @param drain whether it is about to leave, or has left
 */
public record ViewFacts(
    @Nullable View view,
    long leaseMillis,
    SlotCounts slots,
    long replicationLagMillis,
    DrainState drain) {
  /** A node in no view. */
  public static final ViewFacts NONE =
      new ViewFacts(null, 0, new SlotCounts(0, 0, 0, 0, 0), 0, DrainState.NONE);
}
