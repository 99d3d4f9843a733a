package io.ringfence.rules;

/**
 * What a rule answers at a node that is cut off: it holds no lease, so it must not decide, and
 * nobody whom it reaches may.
 */
public enum OnPartition {
  /** A bucket inside the node decides, with the node's share of the limit. */
  SHARE,
  /** The check is refused with the status for reduced capacity. */
  CLOSED,
  /** The check passes. */
  OPEN,
  /**
   * As closed; and what is charged is copied before it is answered, and a counter that nobody knows
   * any more starts spent. So the limit holds whatever breaks.
   */
  STRICT
}
