package io.ringfence.ring;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The slot of a counter, from what places it: an attribute and its value, such as ("client",
 * "cust_42"), ("ip", "203.0.113.7") or, for a counter that all callers share, ("rule", "ceiling").
 *
 * <p>The place depends on that pair alone: not on the rule, the limit or the version of the rules,
 * nor on who else is counted. So all limits of one client share an owner, and the counter of one
 * address is one counter whoever the clients behind it are. Which pair places a counter is the
 * caller's choice.
 *
 * <p>The two texts are made into one message in which nothing can shift from one to the other:
 *
 * <pre>
 *   4 bytes  length of the attribute in bytes, little-endian
 *   4 bytes  length of the value in bytes, little-endian
 *            attribute, UTF-8, filled up with zeros to a multiple of 8 bytes
 *            value, UTF-8, filled up with zeros to a multiple of 8 bytes
 * </pre>
 *
 * <p>The message is hashed by {@link SipHash}, and the slot is the equal arc of the circle in which
 * the hash falls. A lone surrogate, which UTF-8 cannot write, counts as a question mark.
 *
 * <p>Immutable, so it may be shared by threads. Never blocks.
 */
public final class Placement {
  private final int slots;
  private final SipHash hash;

  /**
   * A placement of its own settings.
   *
   * @param slots 1 to {@value RingSettings#MAX_SLOTS}; must be the ring's
   * @param k0 the first half of the seed, the same on every node
   * @param k1 the second half of the seed
   * @throws IllegalArgumentException if {@code slots} is out of its range
   */
  public Placement(int slots, long k0, long k1) {
    RingSettings.checkSlots(slots);
    this.slots = slots;
    this.hash = new SipHash(k0, k1);
  }

  /** A placement with the slots and the seed of these settings. */
  public Placement(RingSettings settings) {
    this(settings.slots(), settings.k0(), settings.k1());
  }

  /** The slot of the counters that this pair places, 0 to {@code slots - 1}. */
  public int slotOf(String attribute, String value) {
    byte[] message = message(attribute, value);
    return Circle.slotAt(hash.hash(message, 0, message.length), slots);
  }

  static byte[] message(String attribute, String value) {
    byte[] a = attribute.getBytes(StandardCharsets.UTF_8);
    byte[] v = value.getBytes(StandardCharsets.UTF_8);
    int valueAt = 8 + padded(a.length);
    return ByteBuffer.allocate(valueAt + padded(v.length))
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(a.length)
        .putInt(v.length)
        .put(a)
        .position(valueAt)
        .put(v)
        .array();
  }

  private static int padded(int length) {
    return (length + 7) & ~7;
  }
}
