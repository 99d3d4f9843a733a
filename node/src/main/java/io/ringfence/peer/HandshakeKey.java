package io.ringfence.peer;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The key of one cluster, and the proofs made with it.
 *
 * <p>The key is HMAC-SHA-256 (RFC 2104) of a label, a mark whether there is a secret, and the
 * cluster's name, keyed with the secret. So one secret used for two clusters gives two keys, and no
 * secret is different from every secret.
 *
 * <p>A proof is HMAC-SHA-256 of the prover's role and of the payloads exchanged so far, byte for
 * byte as they crossed the wire, each with its length before it. The roles differ, so a proof sent
 * back to its maker proves nothing; both nonces are in the payloads, so an old proof does not
 * either.
 *
 * <p>Immutable and thread-safe. A proof takes microseconds, so it may be made on an event loop.
 */
final class HandshakeKey {
  /** The length of a proof. */
  static final int PROOF_BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";
  private static final String KEY_LABEL = "ringfence peer key 1";

  private final SecretKeySpec key;

  private HandshakeKey(SecretKeySpec key) {
    this.key = key;
  }

  /** Who proves. Each has its own label under the code. */
  enum Role {
    /** The one that opened the connection; proves first. */
    DIALLER("ringfence dialler proof 1"),
    /** The one that accepted it. */
    LISTENER("ringfence listener proof 1");

    private final String label;

    Role(String label) {
      this.label = label;
    }
  }

  /** The key of this cluster under this secret. */
  static HandshakeKey derive(Secret secret, String cluster) {
    // HMAC pads a key with zeros, so one zero byte is the empty key, which the JDK refuses.
    byte[] keying = secret.isNone() ? new byte[1] : secret.bytes();
    byte[] derived =
        mac(
            new SecretKeySpec(keying, ALGORITHM),
            KEY_LABEL.getBytes(StandardCharsets.US_ASCII),
            new byte[] {(byte) (secret.isNone() ? 0 : 1)},
            cluster.getBytes(StandardCharsets.UTF_8));
    return new HandshakeKey(new SecretKeySpec(derived, ALGORITHM));
  }

  /** The proof of that role over what was exchanged, in order. */
  byte[] prove(Role role, byte[]... exchanged) {
    byte[][] parts = new byte[exchanged.length + 1][];
    parts[0] = role.label.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(exchanged, 0, parts, 1, exchanged.length);
    return mac(key, parts);
  }

  /** Whether a proof is the right one; takes as long for a wrong one. */
  boolean proves(byte[] proof, Role role, byte[]... exchanged) {
    return MessageDigest.isEqual(proof, prove(role, exchanged));
  }

  private static byte[] mac(SecretKeySpec key, byte[]... parts) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      for (byte[] part : parts) {
        mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, part.length));
        mac.update(part);
      }
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JVM has " + ALGORITHM, e);
    }
  }
}
