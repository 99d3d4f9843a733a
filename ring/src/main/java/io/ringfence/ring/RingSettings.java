package io.ringfence.ring;

/**
 * What all nodes of a cluster must share for their rings to be one ring.
 *
 * @param slots 1 to 65,536; into how many slots the counters are divided
 * @param pointsPerWeight 1 to 4,096; how many points a node has on the circle for each unit of its
 *     weight
 * @param k0 the first half of the seed of every hash
 * @param k1 the second half of the seed
 */
public record RingSettings(int slots, int pointsPerWeight, long k0, long k1) {
  public static final int MAX_SLOTS = 65_536;
  public static final int MAX_POINTS_PER_WEIGHT = 4_096;
  public static final int DEFAULT_SLOTS = 16_384;
  public static final int DEFAULT_POINTS_PER_WEIGHT = 2_048;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if one does not hold, naming the range
   */
  public RingSettings {
    checkSlots(slots);
    if (pointsPerWeight < 1 || pointsPerWeight > MAX_POINTS_PER_WEIGHT) {
      throw new IllegalArgumentException(
          "pointsPerWeight must be 1 to " + MAX_POINTS_PER_WEIGHT + ", not " + pointsPerWeight);
    }
  }

  /** The default numbers of slots and points with this seed. */
  public static RingSettings seeded(long k0, long k1) {
    return new RingSettings(DEFAULT_SLOTS, DEFAULT_POINTS_PER_WEIGHT, k0, k1);
  }

  static void checkSlots(int slots) {
    if (slots < 1 || slots > MAX_SLOTS) {
      throw new IllegalArgumentException("slots must be 1 to " + MAX_SLOTS + ", not " + slots);
    }
  }

  /** Leaves the seed out: whoever reads a log must not learn which keys fall together. */
  @Override
  public String toString() {
    return "RingSettings[slots=" + slots + ", pointsPerWeight=" + pointsPerWeight + "]";
  }
}
