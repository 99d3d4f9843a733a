package io.ringfence.rules;

import io.ringfence.algorithms.Algorithm;
import org.jspecify.annotations.Nullable;

/**
 * What a rule does when the owner of a counter cannot be asked, or this node must not decide, and
 * what is done so that a counter outlives its owner.
 *
 * @param onUnavailable which answer is given
 * @param localFractionMillionths the share of the limit, in millionths of limit / nodes, that one
 *     node's local bucket may admit; 1 to 1,000,000
 * @param local the local bucket as the rule states it, or null where it is derived from the
 *     fraction
 * @param onPartition which answer a node gives that is cut off; strict asks for sync and spent
 * @param durability whether charges are copied, and waited for
 * @param onStateLost what a counter starts with of which all copies are lost
 */
public record FailurePolicy(
    OnUnavailable onUnavailable,
    long localFractionMillionths,
    @Nullable Algorithm local,
    OnPartition onPartition,
    Durability durability,
    OnStateLost onStateLost) {

  /** The denominator of {@link #localFractionMillionths}. */
  public static final long ONE_MILLION = 1_000_000;

  /**
   * What a rule has that says nothing: local, with a fifth of a node's share; cut off, all of it.
   */
  public static final FailurePolicy DEFAULT =
      new FailurePolicy(
          OnUnavailable.LOCAL,
          200_000,
          null,
          OnPartition.SHARE,
          Durability.ASYNC,
          OnStateLost.FRESH);

  /** Validates the fraction. */
  public FailurePolicy {
    if (localFractionMillionths < 1 || localFractionMillionths > ONE_MILLION) {
      throw new IllegalArgumentException(
          "localFractionMillionths must be from 1 to 1000000, not " + localFractionMillionths);
    }
    boolean strict = durability == Durability.SYNC && onStateLost == OnStateLost.SPENT;
    if (onPartition == OnPartition.STRICT && !strict) {
      throw new IllegalArgumentException("strict asks for sync and spent");
    }
  }
}
