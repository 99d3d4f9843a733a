package io.ringfence.engine.message;

/**
 * Acknowledges a {@link LiftMessage}: the sender forgot what it remembered of those denials.
 *
 * @param id the lift's
 */
public record LiftedMessage(long id) implements PeerMessage {}
