package io.ringfence.rules;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a limit: the first 64 bits of SHA-256 over its rule's name, its own name (empty
 * where it has none), what it counts by and its algorithm's name.
 *
 * <p>Each text stands behind its length in bytes, and the list behind its size, so no two different
 * limits ever hash the same bytes. Every node works the identity out of its own file and gets the
 * same; what is left is the chance of 64 bits, and a set in which two limits meet is refused.
 */
final class LimitId {
  private LimitId() {}

  static long of(String rule, @Nullable String name, List<String> by, String algorithm) {
    MessageDigest digest = sha256();
    add(digest, rule);
    add(digest, name == null ? "" : name);
    addLength(digest, by.size());
    by.forEach(attribute -> add(digest, attribute));
    add(digest, algorithm);
    return ByteBuffer.wrap(digest.digest()).getLong();
  }

  private static void add(MessageDigest digest, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    addLength(digest, bytes.length);
    digest.update(bytes);
  }

  private static void addLength(MessageDigest digest, int length) {
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(length).array());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
