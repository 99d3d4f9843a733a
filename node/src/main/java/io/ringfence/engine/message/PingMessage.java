package io.ringfence.engine.message;

import io.ringfence.membership.ViewWord;

/**
 * Asks for a share of a lease.
 *
 * @param word what is said
 */
public record PingMessage(ViewWord.Ping word) implements ViewWordMessage {}
