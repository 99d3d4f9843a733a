package io.ringfence.peer;

/**
 * The hard limits of the wire. Each is checked before anything is allocated for what it limits.
 * They belong to protocol version 1: a peer may rely on all of them, so none is a setting.
 */
final class Limits {
  /** Code and payload of a frame on an authenticated connection. */
  static final int FRAME_BYTES = 1 << 20;

  /** Code and payload of a frame before authentication. */
  static final int HANDSHAKE_FRAME_BYTES = 1 << 10;

  /** The values of one counter. */
  static final int VALUES_BYTES = 16 << 10;

  /** Answers in one message, as many as a check has counters. */
  static final int ANSWERS = 64;

  /** Any text, in UTF-8. */
  static final int TEXT_BYTES = 256;

  /** A cluster's name, in UTF-8; with it a HELLO stays well under the handshake's frame limit. */
  static final int CLUSTER_BYTES = 128;

  /** A set of slots: one bit for each of up to 65,536 slots. */
  static final int SLOT_SET_BYTES = 8 << 10;

  /** A bit set of a PING: one bit for each member of a view. */
  static final int PLACES_BYTES = 128;

  private Limits() {}
}
