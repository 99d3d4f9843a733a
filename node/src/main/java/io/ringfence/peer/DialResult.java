package io.ringfence.peer;

import io.ringfence.membership.MemberId;

/** How one attempt to reach a peer ended. */
sealed interface DialResult {

  /** The peer proved itself and introduced itself. */
  record Connected(Outbound outbound, Greeting greeting) implements DialResult {}

  /** The handshake was refused, here or there. */
  record Refused(HandshakeRefusal reason) implements DialResult {}

  /** Another member proved itself at the address. */
  record OtherAnswered(MemberId actual) implements DialResult {}

  /**
   * There was no connection, or it ended before the handshake did.
   *
   * @param byRefusal whether the address refused: ECONNREFUSED and nothing else
   */
  record Unreachable(boolean byRefusal) implements DialResult {}
}
