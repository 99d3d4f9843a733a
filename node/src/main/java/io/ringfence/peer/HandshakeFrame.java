package io.ringfence.peer;

/**
 * A frame before authentication, as it crosses the wire. The payload is kept as bytes because the
 * proofs are made over the bytes.
 */
final class HandshakeFrame {
  private final FrameCode code;
  private final byte[] payload;

  /**
   * @param payload not to be changed afterwards
   */
  HandshakeFrame(FrameCode code, byte[] payload) {
    this.code = code;
    this.payload = payload;
  }

  FrameCode code() {
    return code;
  }

  byte[] payload() {
    return payload;
  }
}
