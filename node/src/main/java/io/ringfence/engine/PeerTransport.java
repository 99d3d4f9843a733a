package io.ringfence.engine;

import io.ringfence.engine.message.PeerMessage;
import io.ringfence.membership.MemberId;

/**
 * Moves messages to other members that have proved themselves.
 *
 * <p>Delivery: at most once; in order as long as one connection lives; lost without a word when a
 * connection breaks or the process at the other end stops. Thread-safe; never blocks. A message is
 * immutable, so nobody owns it.
 */
public interface PeerTransport {

  /**
   * Sends, if it can be done without waiting.
   *
   * @return false if the member is not connected, or reads so slowly that its queue is full; the
   *     message is then not sent
   */
  boolean send(MemberId to, PeerMessage message);
}
