package io.ringfence.chaos.swarm;

/**
 * An invariant that broke.
 *
 * @param invariant which
 * @param atNanos virtual time
 * @param what happened, in a line
 */
record Finding(Invariant invariant, long atNanos, String what) {
  @Override
  public String toString() {
    return "%s at %.3f ms: %s".formatted(invariant, atNanos / 1e6, what);
  }
}
