package io.ringfence.ring;

/**
 * The slot of a counter, from what places it: an attribute and its value, such as ("client",
 * "cust_42"), ("ip", "203.0.113.7") or, for a counter that all callers share, ("rule", "ceiling").
 *
 * <p>The place depends on that pair alone: not on the rule, the limit or the version of the rules,
 * nor on who else is counted. So all limits of one client share an owner, and the counter of one
 * address is one counter whoever the clients behind it are. Which pair places a counter is the
 * caller's choice.
 *
 * <p>The pair is hashed under the cluster's seed with the lengths of both texts before them, so
 * ("ab", "c") and ("a", "bc") are different pairs. The slot is the one of the circle's equal arcs
 * in which the hash falls.
 *
 * <p>Immutable, so it may be shared by threads. Never blocks.
 */
public final class Placement {
  private final int slots;
  private final PairHash hash;

  /**
   * A placement of its own.
   *
   * @param slots 1 to {@value RingSettings#MAX_SLOTS}; must be the ring's
   * @param k0 the first half of the seed, the same on every node
   * @param k1 the second half of the seed
   * @throws IllegalArgumentException if {@code slots} is out of its range
   */
  public Placement(int slots, long k0, long k1) {
    RingSettings.checkSlots(slots);
    this.slots = slots;
    this.hash = new PairHash(k0, k1);
  }

  /** The placement that goes with a ring of these settings: its slots and its seed. */
  public Placement(RingSettings settings) {
    this(settings.slots(), settings.k0(), settings.k1());
  }

  /**
   * The slot of the counters that this pair places. Takes time by the length of the texts, which
   * the caller bounds; compiled code allocates nothing where both are ASCII.
   *
   * @return 0 to {@code slots - 1}
   */
  public int slotOf(String attribute, String value) {
    return Circle.slotAt(hash.of(attribute, value), slots);
  }
}
