package io.ringfence.chaos.sim;

/** Something that a scenario does to the cluster. Times in virtual nanoseconds, nodes by number. */
sealed interface Fault {

  /** When. */
  long atNanos();

  /** The node is stopped: its frames and timers wait, its clock runs on; then all is served. */
  record Freeze(long atNanos, int node, long forNanos) implements Fault {}

  /** The connections of two nodes break, with what is on the way, and stand again after a while. */
  record Reset(long atNanos, int one, int other, long forNanos) implements Fault {}

  /** What one node sends to the other vanishes for a while; both ways, or this way alone. */
  record Cut(long atNanos, int from, int to, boolean bothWays, long forNanos) implements Fault {}

  /** A node has no lease for a while. */
  record Lapse(long atNanos, int node, long forNanos) implements Fault {}

  /** The system's clock of a node is set. */
  record ClockSet(long atNanos, int node, long byNanos) implements Fault {}
}
