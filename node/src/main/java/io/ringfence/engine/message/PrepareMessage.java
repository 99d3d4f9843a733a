package io.ringfence.engine.message;

import io.ringfence.membership.ViewWord;

/**
 * Asks for a promise before a view is proposed.
 *
 * @param word what is said
 */
public record PrepareMessage(ViewWord.Prepare word) implements ViewWordMessage {}
