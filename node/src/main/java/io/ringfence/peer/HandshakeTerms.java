package io.ringfence.peer;

import java.security.SecureRandom;

/**
 * What a process brings to every handshake. Thread-safe.
 *
 * @param versions the protocol versions that it speaks
 * @param cluster the name of its cluster
 * @param key the key of its cluster
 * @param random the source of nonces
 */
record HandshakeTerms(
    ProtocolRange versions, String cluster, HandshakeKey key, SecureRandom random) {

  /** Bytes that were never used before. */
  byte[] nonce() {
    byte[] nonce = new byte[HandshakePayloads.NONCE_BYTES];
    random.nextBytes(nonce);
    return nonce;
  }
}
