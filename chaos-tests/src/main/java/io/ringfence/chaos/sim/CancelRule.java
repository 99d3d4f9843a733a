package io.ringfence.chaos.sim;

/** What a cancel must give back. */
enum CancelRule {
  /** As if the charge had never been made, whatever came in between. */
  EXACT,
  /**
   * The same, but that a bucket may get back more: up to all that the charge cost, also where part
   * of it had been refilled since. The reference then goes on with what the bucket was seen to
   * hold.
   */
  OBSERVED
}
