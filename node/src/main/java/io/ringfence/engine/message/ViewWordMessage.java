package io.ringfence.engine.message;

import io.ringfence.membership.ViewWord;

/** What members say to each other to agree on views and to hold leases. */
public sealed interface ViewWordMessage extends PeerMessage
    permits PingMessage,
        PongMessage,
        PrepareMessage,
        PromiseMessage,
        ProposeMessage,
        AcceptedMessage {

  /** What is said. */
  ViewWord word();

  /** The message that carries that word. */
  static ViewWordMessage of(ViewWord word) {
    if (word instanceof ViewWord.Ping ping) {
      return new PingMessage(ping);
    } else if (word instanceof ViewWord.Pong pong) {
      return new PongMessage(pong);
    } else if (word instanceof ViewWord.Prepare prepare) {
      return new PrepareMessage(prepare);
    } else if (word instanceof ViewWord.Promise promise) {
      return new PromiseMessage(promise);
    } else if (word instanceof ViewWord.Propose propose) {
      return new ProposeMessage(propose);
    } else if (word instanceof ViewWord.Accepted accepted) {
      return new AcceptedMessage(accepted);
    }
    throw new IllegalStateException("no message carries " + word);
  }
}
