package io.ringfence.ring;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * {@link SipHash} of two texts, made into one message in which nothing can shift from one to the
 * other:
 *
 * <pre>
 *   4 bytes  length of the first in bytes, little-endian
 *   4 bytes  length of the second in bytes, little-endian
 *            the first, UTF-8, filled up with zeros to a multiple of 8 bytes
 *            the second, UTF-8, filled up with zeros to a multiple of 8 bytes
 * </pre>
 *
 * <p>The lengths come first, so they say where each text ends and which zeros are filling: two
 * pairs have one message only if they are one pair. A lone surrogate, which UTF-8 cannot write,
 * counts as a question mark.
 *
 * <p>This runs on every check. Each text begins on a word of its own so that, where both are ASCII
 * as nearly all are, the words can be read straight out of the strings. Whether they are is found
 * out on the way: a character that is not ASCII sets the top bit of its byte, which no ASCII
 * character does; the hash is then dropped, and the texts are encoded first.
 *
 * <p>Immutable, so it may be shared by threads.
 */
final class PairHash {
  private static final int FIRST_BEYOND_ASCII = 0x80;
  private static final long TOP_BITS = 0x8080808080808080L;

  private final long k0;
  private final long k1;

  PairHash(long k0, long k1) {
    this.k0 = k0;
    this.k1 = k1;
  }

  long of(String first, String second) {
    SipState state = new SipState(k0, k1);
    state.word(first.length() | ((long) second.length() << Integer.SIZE));
    long seen = take(first, state) | take(second, state);
    if ((seen & TOP_BITS) != 0) {
      byte[] message = message(first, second);
      return SipHash.hash(k0, k1, message, 0, message.length);
    }
    long bytes = Long.BYTES * (1L + words(first.length()) + words(second.length()));
    state.word(
        bytes << 56); // SipHash's last word: nothing is left over, and the top byte is the length
    return state.finish();
  }

  /** Takes in a text as if it were ASCII, and tells which bits its words had. */
  private static long take(String text, SipState state) {
    long seen = 0;
    int from = 0;
    for (int to = Long.BYTES; to <= text.length(); to += Long.BYTES) {
      long word = word(text, from, Long.BYTES);
      seen |= word;
      state.word(word);
      from = to;
    }
    if (from < text.length()) {
      long word = word(text, from, text.length() - from);
      seen |= word;
      state.word(word);
    }
    return seen;
  }

  private static long word(String text, int from, int length) {
    long word = 0;
    for (int i = 0; i < length; i++) {
      word |= (long) Math.min(text.charAt(from + i), FIRST_BEYOND_ASCII) << (Byte.SIZE * i);
    }
    return word;
  }

  /** What is hashed, written out. */
  static byte[] message(String first, String second) {
    byte[] a = first.getBytes(StandardCharsets.UTF_8);
    byte[] b = second.getBytes(StandardCharsets.UTF_8);
    int secondAt = Long.BYTES * (1 + words(a.length));
    return ByteBuffer.allocate(secondAt + Long.BYTES * words(b.length))
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(a.length)
        .putInt(b.length)
        .put(a)
        .position(secondAt)
        .put(b)
        .array();
  }

  private static int words(int bytes) {
    return (bytes + Long.BYTES - 1) / Long.BYTES;
  }
}
