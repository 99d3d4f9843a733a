package io.ringfence.engine.message;

import io.ringfence.membership.ViewWord;

/**
 * Promises.
 *
 * @param word what is said
 */
public record PromiseMessage(ViewWord.Promise word) implements ViewWordMessage {}
