package io.ringfence.engine.message;

import java.util.Arrays;

/**
 * One counter in a check between nodes.
 *
 * @param limitId the limit; the owner's own rules say what it allows
 * @param shadow whether the caller's rule only watches: its denial denies nothing
 * @param slot where the counter lives
 * @param values the values that it counts by, each with its length before it; not to be changed
 * @param cost 1 or more
 */
@SuppressWarnings("ArrayRecordComponent") // equality is by content, and nobody writes to it
public record CounterAsk(long limitId, boolean shadow, int slot, byte[] values, long cost) {

  @Override
  public boolean equals(Object other) {
    return other instanceof CounterAsk ask
        && limitId == ask.limitId
        && shadow == ask.shadow
        && slot == ask.slot
        && cost == ask.cost
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
