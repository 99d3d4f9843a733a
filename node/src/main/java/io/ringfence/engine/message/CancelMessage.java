package io.ringfence.engine.message;

/**
 * Undoes the tentative charge of an earlier check, once, if it still weighs. Not answered.
 *
 * @param checkId the id of that check, as this sender gave it
 */
public record CancelMessage(long checkId) implements PeerMessage {}
