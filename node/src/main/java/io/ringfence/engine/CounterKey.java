package io.ringfence.engine;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The identity of a counter: a limit and the values that it counts by.
 *
 * <p>Values are kept as UTF-8, each with its length before it, so that no two different lists give
 * the same bytes. Keys are chosen by callers who may be hostile; the hash is therefore seeded (see
 * {@link Slots#keyOf}) and comparing falls back to an order, which keeps a table's worst case
 * logarithmic.
 */
final class CounterKey implements Comparable<CounterKey> {
  private final long limitId;
  private final byte[] values; // never changed
  private final int hash; // seeded

  CounterKey(long limitId, byte[] values, int hash) {
    this.limitId = limitId;
    this.values = values;
    this.hash = hash;
  }

  long limitId() {
    return limitId;
  }

  byte[] values() {
    return values;
  }

  /** The values as bytes: a 32-bit length and the UTF-8 of each. */
  static byte[] encode(List<String> values) {
    if (values.size() == 1) {
      byte[] text = values.get(0).getBytes(StandardCharsets.UTF_8);
      return ByteBuffer.allocate(Integer.BYTES + text.length).putInt(text.length).put(text).array();
    }
    byte[][] texts = new byte[values.size()][];
    int size = 0;
    for (int i = 0; i < texts.length; i++) {
      texts[i] = values.get(i).getBytes(StandardCharsets.UTF_8);
      size += Integer.BYTES + texts[i].length;
    }
    ByteBuffer bytes = ByteBuffer.allocate(size);
    for (byte[] text : texts) {
      bytes.putInt(text.length).put(text);
    }
    return bytes.array();
  }

  /** The values that {@link #encode} wrote; the bytes must be such. */
  static List<String> decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    List<String> values = new ArrayList<>(2);
    while (in.hasRemaining()) {
      int length = in.getInt();
      values.add(new String(bytes, in.position(), length, StandardCharsets.UTF_8));
      in.position(in.position() + length);
    }
    return values;
  }

  /** Whether the bytes are what {@link #encode} makes of that many values. */
  static boolean holds(byte[] bytes, int count) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    for (int i = 0; i < count; i++) {
      if (in.remaining() < Integer.BYTES) {
        return false;
      }
      int length = in.getInt();
      if (length < 0 || length > in.remaining()) {
        return false;
      }
      in.position(in.position() + length);
    }
    return !in.hasRemaining();
  }

  /** A total order, in which the counters of one step are locked. */
  @Override
  public int compareTo(CounterKey other) {
    int order = Long.compare(limitId, other.limitId);
    return order != 0 ? order : Arrays.compare(values, other.values);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CounterKey key
        && hash == key.hash
        && limitId == key.limitId
        && Arrays.equals(values, key.values);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return "CounterKey[%016x, %d bytes]".formatted(limitId, values.length);
  }
}
