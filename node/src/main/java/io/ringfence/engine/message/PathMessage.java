package io.ringfence.engine.message;

/**
 * The sender's way to the receiver is the direct one again. Its ways are numbered, each higher than
 * all before: what is relayed under a lower number is late, and was overtaken.
 *
 * @param path the number of the direct way
 */
public record PathMessage(long path) implements DetourMessage {}
