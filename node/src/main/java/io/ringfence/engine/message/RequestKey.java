package io.ringfence.engine.message;

/**
 * Names one request of one client: a keyed hash of the client, of what is asked for, and of the id
 * that the caller gave the request. Two requests of the same key are taken for one and the same.
 */
public record RequestKey(long high, long low) {}
