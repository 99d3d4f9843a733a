package io.ringfence.engine.message;

import io.ringfence.membership.MemberId;

/**
 * Hands on what the sender was given for the receiver.
 *
 * @param from whose message it is
 * @param path the number of its way to the receiver; see {@link PathMessage}
 * @param message what it said, never a message of a relay
 */
public record RelayedMessage(MemberId from, long path, PeerMessage message)
    implements DetourMessage {
  /**
   * @throws IllegalArgumentException when the message is one of a relay itself
   */
  public RelayedMessage {
    DetourMessage.requirePlain(message);
  }
}
