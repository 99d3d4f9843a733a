package io.ringfence.engine.message;

import io.ringfence.membership.ViewWord;

/**
 * Tells that a view was accepted.
 *
 * @param word what is said
 */
public record AcceptedMessage(ViewWord.Accepted word) implements ViewWordMessage {}
