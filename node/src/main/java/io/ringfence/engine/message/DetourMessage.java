package io.ringfence.engine.message;

/** What members say to each other where two of them have no link, and a third hands on. */
public sealed interface DetourMessage extends PeerMessage
    permits RelayMessage, RelayedMessage, PathMessage, RelayRefusal {

  /** Refuses to wrap what is wrapped already: a message takes one hop more, never two. */
  static void requirePlain(PeerMessage message) {
    if (message instanceof DetourMessage) {
      throw new IllegalArgumentException("a message is relayed once, not " + message);
    }
  }
}
