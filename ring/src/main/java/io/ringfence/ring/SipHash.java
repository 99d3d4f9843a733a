package io.ringfence.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * SipHash-2-4: a keyed hash with a 128-bit key and a 64-bit result.
 *
 * <p>Callers choose the names that are counted, so a hash that can be predicted would let them heap
 * their counters onto one slot, and so onto one node. SipHash is a pseudo-random function: whoever
 * does not know the key cannot find inputs that fall together, however many results were seen. It
 * is also quick on the short inputs that occur here.
 *
 * <p>The state is four words, {@code v0} to {@code v3}, mixed by additions, rotations and exclusive
 * ors. The input is taken as little-endian words of eight bytes; what is left over goes into a last
 * word whose top byte is the length modulo 256. Two rounds follow each word and four end the hash.
 *
 * <p>Source: Jean-Philippe Aumasson and Daniel J. Bernstein, "SipHash: a fast short-input PRF",
 * INDOCRYPT 2012, section 2. The names of the variables are the paper's.
 *
 * <p>Instances are immutable and may be shared by threads. Nothing here blocks or allocates.
 */
public final class SipHash {
  private static final VarHandle LITTLE_ENDIAN_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long INIT_0 = 0x736f6d6570736575L;
  private static final long INIT_1 = 0x646f72616e646f6dL;
  private static final long INIT_2 = 0x6c7967656e657261L;
  private static final long INIT_3 = 0x7465646279746573L;

  // One turn of the loops below is two rounds, so four finishing rounds are two turns.
  private static final int FINISHING_TURNS = 2;
  private static final long FINISHING_MARK = 0xff;

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
    int words = len >>> 3;
    long v0 = k0 ^ INIT_0;
    long v1 = k1 ^ INIT_1;
    long v2 = k0 ^ INIT_2;
    long v3 = k1 ^ INIT_3;
    for (int turn = 0; turn <= words + FINISHING_TURNS; turn++) {
      long m = 0;
      if (turn < words) {
        m = (long) LITTLE_ENDIAN_LONG.get(data, off + (turn << 3));
      } else if (turn == words) {
        m = lastWord(data, off, len);
      } else if (turn == words + 1) {
        v2 ^= FINISHING_MARK;
      }
      v3 ^= m;
      for (int round = 0; round < 2; round++) {
        v0 += v1;
        v1 = Long.rotateLeft(v1, 13) ^ v0;
        v0 = Long.rotateLeft(v0, 32);
        v2 += v3;
        v3 = Long.rotateLeft(v3, 16) ^ v2;
        v0 += v3;
        v3 = Long.rotateLeft(v3, 21) ^ v0;
        v2 += v1;
        v1 = Long.rotateLeft(v1, 17) ^ v2;
        v2 = Long.rotateLeft(v2, 32);
      }
      v0 ^= m;
    }
    return v0 ^ v1 ^ v2 ^ v3;
  }

  private static long lastWord(byte[] data, int off, int len) {
    long word = (long) len << 56;
    int from = off + (len & ~7);
    for (int i = off + len - 1; i >= from; i--) {
      word |= (data[i] & 0xffL) << ((i - from) << 3);
    }
    return word;
  }
}
