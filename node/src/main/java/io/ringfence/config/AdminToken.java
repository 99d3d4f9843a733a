package io.ringfence.config;

import java.nio.charset.StandardCharsets;

/**
 * What admin calls must present. Never printed: its text form is a mask. Immutable and thread-safe.
 */
public final class AdminToken {
  static final int MIN_CHARS = 16;
  static final int MAX_CHARS = 4_096;

  private final byte[] bytes;

  private AdminToken(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * A token from what was written down, without the white space around it.
   *
   * @throws IllegalArgumentException where what is left is not 16 to 4096 visible ASCII characters,
   *     which is what a header can carry; the message does not repeat it
   */
  public static AdminToken of(String text) {
    String token = text.strip();
    if (token.length() < MIN_CHARS || token.length() > MAX_CHARS) {
      throw new IllegalArgumentException(
          "a token has from "
              + MIN_CHARS
              + " to "
              + MAX_CHARS
              + " characters, not "
              + token.length()
              + " (head -c 32 /dev/urandom | base64 makes a good one)");
    }
    if (!token.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      throw new IllegalArgumentException(
          "a token has visible ASCII characters only, without white space between them");
    }
    return new AdminToken(token.getBytes(StandardCharsets.US_ASCII));
  }

  /** A copy of its bytes. */
  public byte[] bytes() {
    return bytes.clone();
  }

  @Override
  public String toString() {
    return "AdminToken[***]";
  }
}
