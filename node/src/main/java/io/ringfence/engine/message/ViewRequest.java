package io.ringfence.engine.message;

/** Asks for the receiver's view. */
public record ViewRequest() implements PeerMessage {}
