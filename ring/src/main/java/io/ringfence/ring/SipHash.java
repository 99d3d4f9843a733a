package io.ringfence.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * SipHash-2-4: a keyed hash with a 128-bit key and a 64-bit result.
 *
 * <p>Callers choose the names that are counted, so a hash that can be predicted would let them heap
 * their counters onto one slot, and so onto one node. SipHash is built as a pseudo-random function:
 * whoever does not know the key should not be able to find inputs that fall together, even from
 * results that they saw. It is also quick on the short inputs that occur here.
 *
 * <p>The input is taken as little-endian words of eight bytes; what is left over goes into a last
 * word, whose top byte is the length modulo 256. Two rounds follow each word and four end the hash;
 * {@link SipState} holds them.
 *
 * <p>Source: Jean-Philippe Aumasson and Daniel J. Bernstein, "SipHash: a fast short-input PRF",
 * INDOCRYPT 2012, section 2.
 *
 * <p>Instances are immutable and may be shared by threads. Nothing here blocks, and compiled code
 * allocates nothing.
 */
public final class SipHash {
  private static final VarHandle LITTLE_ENDIAN_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final long k0;
  private final long k1;

  /**
   * A hash with a fixed key.
   *
   * @param k0 the first eight bytes of the key, little-endian
   * @param k1 the last eight bytes of the key, little-endian
   */
  public SipHash(long k0, long k1) {
    this.k0 = k0;
    this.k1 = k1;
  }

  /**
   * The hash of a part of an array under this key.
   *
   * @throws IndexOutOfBoundsException unless {@code 0 <= off}, {@code 0 <= len} and {@code off +
   *     len <= data.length}
   */
  public long hash(byte[] data, int off, int len) {
    return hash(k0, k1, data, off, len);
  }

  /**
   * The hash of a part of an array.
   *
   * @param k0 the first eight bytes of the key, little-endian
   * @param k1 the last eight bytes of the key, little-endian
   * @throws IndexOutOfBoundsException unless {@code 0 <= off}, {@code 0 <= len} and {@code off +
   *     len <= data.length}
   */
  public static long hash(long k0, long k1, byte[] data, int off, int len) {
    Objects.checkFromIndexSize(off, len, data.length);
    SipState state = new SipState(k0, k1);
    int end = off + len;
    int lastWordAt = end - len % Long.BYTES;
    for (int at = off; at < lastWordAt; at += Long.BYTES) {
      state.word((long) LITTLE_ENDIAN_LONG.get(data, at));
    }
    long last = len;
    for (int at = lastWordAt + Long.BYTES - 2; at >= lastWordAt; at--) {
      last = (last << Byte.SIZE) | (at < end ? data[at] & 0xff : 0);
    }
    state.word(last);
    return state.finish();
  }
}
