package io.ringfence.chaos.sim;

/**
 * How much a run demands. What is not at its strictest stands for a known fault of the engine, and
 * goes as soon as that does.
 *
 * @param cancels how the reference takes a charge back
 */
record Strictness(CancelRule cancels) {
  static final Strictness FULL = new Strictness(CancelRule.EXACT);

  /** What holds of the engine as it is. */
  static final Strictness NOW = new Strictness(CancelRule.OBSERVED);
}
