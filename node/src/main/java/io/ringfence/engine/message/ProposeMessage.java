package io.ringfence.engine.message;

import io.ringfence.membership.ViewWord;

/**
 * Proposes a view.
 *
 * @param word what is said
 */
public record ProposeMessage(ViewWord.Propose word) implements ViewWordMessage {}
