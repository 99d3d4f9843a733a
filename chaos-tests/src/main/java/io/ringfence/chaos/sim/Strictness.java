package io.ringfence.chaos.sim;

/**
 * How much a run demands. The two settings that are not at their strictest stand for known faults
 * of the engine, and go as soon as those do.
 *
 * @param cancels how the reference takes a charge back
 * @param returnsAsItself whether a living node that was left out of a view may be in a later one
 *     with the same process; else it starts again
 */
record Strictness(CancelRule cancels, boolean returnsAsItself) {
  static final Strictness FULL = new Strictness(CancelRule.EXACT, true);

  /** What holds of the engine as it is. */
  static final Strictness NOW = new Strictness(CancelRule.CREDIT, false);
}
