package io.ringfence.config;

import java.nio.charset.StandardCharsets;

/**
 * What the members of a cluster prove themselves with. Never printed: its text form is a mask.
 * Immutable and thread-safe.
 */
public final class Secret {
  private static final int MIN_BYTES = 16;
  private static final int MAX_BYTES = 1_024;

  private final byte[] bytes;

  private Secret(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * A secret from what was written down, without the white space around it.
   *
   * @throws IllegalArgumentException where fewer than 16 or more than 1024 bytes of UTF-8 are left
   */
  public static Secret of(String text) {
    byte[] bytes = text.strip().getBytes(StandardCharsets.UTF_8);
    if (bytes.length < MIN_BYTES || bytes.length > MAX_BYTES) {
      throw new IllegalArgumentException(
          "a secret has from "
              + MIN_BYTES
              + " to "
              + MAX_BYTES
              + " bytes, not "
              + bytes.length
              + " (head -c 32 /dev/urandom | base64 makes a good one)");
    }
    return new Secret(bytes);
  }

  /** A copy of its bytes. */
  public byte[] bytes() {
    return bytes.clone();
  }

  @Override
  public String toString() {
    return "Secret[***]";
  }
}
