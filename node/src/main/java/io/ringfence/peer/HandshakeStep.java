package io.ringfence.peer;

import io.ringfence.membership.MemberId;
import org.jspecify.annotations.Nullable;

/** What follows from one frame of a handshake. */
sealed interface HandshakeStep {

  /** Send this and wait for more. */
  record Reply(HandshakeFrame frame) implements HandshakeStep {}

  /**
   * The other end has proved itself; the connection is open.
   *
   * @param peer who it is
   * @param version the protocol version to speak
   * @param last what to send first, or null
   */
  record Proven(MemberId peer, int version, @Nullable HandshakeFrame last)
      implements HandshakeStep {}

  /**
   * The dialler looked for somebody else. It is told, with proof, who is here instead, and then the
   * connection closes.
   */
  record Misdirected(HandshakeFrame last) implements HandshakeStep {}

  /** Somebody else than expected is here, and has proved it; the connection closes. */
  record OtherAnswered(MemberId actual) implements HandshakeStep {}

  /**
   * The two do not become peers; the connection closes.
   *
   * @param last what to tell the other end first, or null if it was the other end that refused
   */
  record Refused(HandshakeRefusal reason, @Nullable HandshakeFrame last) implements HandshakeStep {

    /** This end refuses. */
    static Refused here(HandshakeRefusal reason) {
      return new Refused(reason, HandshakePayloads.refused(reason));
    }

    /** The other end refused. */
    static Refused there(HandshakeRefusal reason) {
      return new Refused(reason, null);
    }
  }
}
