package io.ringfence.chaos.swarm;

/** What may go wrong in a run. */
enum RunKind {
  /** Nothing. */
  CALM,
  /** Nodes join, drain and are restarted in turn; clocks are set. */
  MOVES,
  /** Also nodes are killed, and started again. */
  KILLS,
  /** Nodes are stopped for a while, links cut or slow, the cluster is cut into parts. */
  STALLS,
  /** All of it. */
  MIXED;

  /** Whether owners must answer every check, and exactly. */
  boolean isExact() {
    return this == CALM || this == MOVES;
  }
}
