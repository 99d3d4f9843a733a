package io.ringfence.engine.message;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One counter in a check between nodes.
 *
 * @param limitId the limit; the owner's own rules say what it allows
 * @param shadow whether the caller's rule only watches: its denial denies nothing
 * @param slot where the counter lives
 * @param values the values that it counts by, each with its length before it; not to be changed
 * @param cost 1 or more
 * @param late where the cost comes from, if it is claimed late; else null
 */
@SuppressWarnings("ArrayRecordComponent") // equality is by content, and nobody writes to it
public record CounterAsk(
    long limitId, boolean shadow, int slot, byte[] values, long cost, @Nullable Late late) {

  /** A counter of which nothing is claimed late. */
  public CounterAsk(long limitId, boolean shadow, int slot, byte[] values, long cost) {
    this(limitId, shadow, slot, values, cost, null);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CounterAsk ask
        && limitId == ask.limitId
        && shadow == ask.shadow
        && slot == ask.slot
        && cost == ask.cost
        && Objects.equals(late, ask.late)
        && Arrays.equals(values, ask.values);
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(limitId) + Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    return "CounterAsk[limitId=%016x, slot=%d, cost=%d]".formatted(limitId, slot, cost);
  }
}
