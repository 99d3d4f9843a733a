package io.ringfence.chaos.sim;

/** Which row of the guarantee table a run is held against, and so which faults it may have. */
enum RunKind {
  /** One view, every answer within its deadline, no fault: exactly what one counter would admit. */
  CALM,
  /** One view; messages are lost, doubled, late, turned away by a full queue. */
  MESSAGES,
  /** As MESSAGES, and nodes freeze, links are cut or reset, clocks are set; nobody dies. */
  NODES,
  /** Everything: nodes crash, leave, join and return, and views reach nodes at different times. */
  VIEWS;

  /** The kinds take turns, so that any range of seeds has all of them; VIEWS come twice. */
  static RunKind of(long seed) {
    return switch ((int) Math.floorMod(seed, 5L)) {
      case 0 -> CALM;
      case 1 -> MESSAGES;
      case 2 -> NODES;
      default -> VIEWS;
    };
  }
}
