package io.ringfence.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * What an admin call must present. Never printed: its text form is a mask. Immutable and
 * thread-safe.
 */
public final class AdminToken {
  private final byte[] bytes;

  private AdminToken(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * A token of those bytes, which are copied.
   *
   * @throws IllegalArgumentException where there are none
   */
  public static AdminToken of(byte[] bytes) {
    if (bytes.length == 0) {
      throw new IllegalArgumentException("a token has at least one byte");
    }
    return new AdminToken(bytes.clone());
  }

  /** Whether it is that text, in a time that tells nothing of how much of it was right. */
  boolean matches(String presented) {
    return MessageDigest.isEqual(presented.getBytes(StandardCharsets.UTF_8), bytes);
  }

  @Override
  public String toString() {
    return "AdminToken[***]";
  }
}
