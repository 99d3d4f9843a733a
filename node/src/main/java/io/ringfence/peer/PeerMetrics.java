package io.ringfence.peer;

/**
 * What the network counts. Implementations are thread-safe and do not block; no value comes from
 * outside, so the series are bounded.
 */
public interface PeerMetrics {

  /** Counts nothing. */
  PeerMetrics NONE = new PeerMetrics() {};

  /** A handshake failed, at either end. */
  default void handshakeRefused(HandshakeRefusal reason) {}

  /** A connection was closed because of what came over it. */
  default void protocolError() {}

  /** A message was not sent because the peer's outbound queue was full (policy: refuse the new). */
  default void outboundFull() {}

  /**
   * A connection was closed because too many had not proved themselves yet (policy: drop the
   * oldest).
   */
  default void unprovenDropped() {}

  /** A connection was closed because nothing came over it for too long. */
  default void silent() {}

  /** A listener of {@link PeerEvents} threw. */
  default void eventDefect() {}
}
