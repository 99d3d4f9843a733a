package io.ringfence.peer;

import java.util.Arrays;

/**
 * What the nodes of one cluster share and strangers do not know. It never crosses the wire and is
 * never printed.
 *
 * <p>{@link #none} is for a node whose addresses are loopback: the same handshake runs, with a key
 * that anyone who knows the cluster's name can derive. It tells clusters apart; it keeps nobody
 * out.
 *
 * <p>Immutable and thread-safe.
 */
public final class Secret {
  /** The longest secret, in bytes. */
  public static final int MAX_BYTES = 4_096;

  private static final Secret NONE = new Secret(new byte[0]);

  private final byte[] bytes; // empty only in NONE

  private Secret(byte[] bytes) {
    this.bytes = bytes;
  }

  /** No secret. */
  public static Secret none() {
    return NONE;
  }

  /**
   * A secret of 1 to {@value #MAX_BYTES} bytes, copied. 16 bytes or more from a random source are
   * advised: a recorded handshake lets its listener try guesses at leisure.
   *
   * @throws IllegalArgumentException if there are none, or more than {@value #MAX_BYTES}
   */
  public static Secret of(byte[] bytes) {
    if (bytes.length == 0 || bytes.length > MAX_BYTES) {
      throw new IllegalArgumentException(
          "a secret has 1 to " + MAX_BYTES + " bytes, not " + bytes.length);
    }
    return new Secret(bytes.clone());
  }

  /** Whether this is {@link #none}. */
  public boolean isNone() {
    return bytes.length == 0;
  }

  byte[] bytes() {
    return bytes.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Secret secret && Arrays.equals(bytes, secret.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** Says whether there is one, and nothing about it. */
  @Override
  public String toString() {
    return isNone() ? "Secret[none]" : "Secret[set]";
  }
}
