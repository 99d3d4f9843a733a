package io.ringfence.ring;

/**
 * The circle on which slots, points and keys lie: the 2^64 values of a hash, read as unsigned,
 * closed into a ring.
 *
 * <p>It is cut into equal arcs, one for each slot. Slot {@code s} of {@code n} begins at {@code s *
 * 2^64 / n}; the arc of a position {@code p} is therefore {@code floor(p * n / 2^64)}, the high
 * word of a product, with no division and no bias worth the name: arcs differ by at most one
 * position in 2^48.
 */
final class Circle {
  private Circle() {}

  /** The slot in whose arc a position lies, 0 to {@code slots - 1}. */
  static int slotAt(long position, int slots) {
    // multiplyHigh takes the position as signed, which is 2^64 too little where the top bit is set.
    return (int) (Math.multiplyHigh(position, slots) + ((position >> 63) & slots));
  }
}
