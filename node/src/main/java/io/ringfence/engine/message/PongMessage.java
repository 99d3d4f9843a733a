package io.ringfence.engine.message;

import io.ringfence.membership.ViewWord;

/**
 * Answers a ping.
 *
 * @param word what is said
 */
public record PongMessage(ViewWord.Pong word) implements ViewWordMessage {}
