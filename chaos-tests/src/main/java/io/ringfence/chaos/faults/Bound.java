package io.ringfence.chaos.faults;

/**
 * How many may be admitted of a key in its window.
 *
 * @param floor at least
 * @param allowed at most
 */
record Bound(long floor, long allowed) {
  /** Where nothing limits what is admitted. */
  static final long UNBOUNDED = Long.MAX_VALUE;

  /** A floor below 0 is 0. */
  Bound {
    floor = Math.max(0, floor);
  }

  /** Whichever of the two is wider, on either side. */
  Bound or(Bound other) {
    return new Bound(Math.min(floor, other.floor), Math.max(allowed, other.allowed));
  }
}
