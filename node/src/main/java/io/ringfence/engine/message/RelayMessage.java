package io.ringfence.engine.message;

import io.ringfence.membership.MemberId;

/**
 * Asks the receiver to hand a message to another member, with which the sender has no link.
 *
 * @param to whom the message is for
 * @param path the number of the sender's way to that member; see {@link PathMessage}
 * @param message what is handed on, never another message of a relay
 */
public record RelayMessage(MemberId to, long path, PeerMessage message) implements DetourMessage {
  /**
   * @throws IllegalArgumentException when the message is one of a relay itself
   */
  public RelayMessage {
    DetourMessage.requirePlain(message);
  }
}
