package io.ringfence.engine.message;

/** The sender leaves for good and wants to be in no further view. */
public record LeaveMessage() implements PeerMessage {}
