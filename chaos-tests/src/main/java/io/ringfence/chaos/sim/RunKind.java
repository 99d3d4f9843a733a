package io.ringfence.chaos.sim;

/** Which row of the guarantee table a run is held against, and so which faults it may have. */
enum RunKind {
  /** Every answer within its deadline, no fault: exactly what one counter would admit. */
  CALM,
  /** Messages are lost, doubled, late, turned away by a full queue. */
  MESSAGES,
  /** As MESSAGES, and nodes freeze or lose their leases, links are cut or reset, clocks are set. */
  NODES;

  /** The kinds take turns, so that any range of seeds has all of them; NODES come twice. */
  static RunKind of(long seed) {
    return switch ((int) Math.floorMod(seed, 4L)) {
      case 0 -> CALM;
      case 1 -> MESSAGES;
      default -> NODES;
    };
  }
}
