package io.ringfence.chaos.sim;

/**
 * How much a run demands. The settings that are not at their strictest stand for known faults of
 * the engine, and go as soon as those do.
 *
 * @param cancels how the reference takes a charge back
 * @param returnsAsItself whether a living node that was left out of a view may be in a later one
 *     with the same process; else it starts again
 * @param cancelsLift whether nobody is denied from memory whom the owner would admit, now that a
 *     tentative charge has been taken back
 */
record Strictness(CancelRule cancels, boolean returnsAsItself, boolean cancelsLift) {
  static final Strictness FULL = new Strictness(CancelRule.EXACT, true, true);

  /** What holds of the engine as it is. */
  static final Strictness NOW = new Strictness(CancelRule.OBSERVED, true, false);
}
