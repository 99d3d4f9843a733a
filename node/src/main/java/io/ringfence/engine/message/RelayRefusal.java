package io.ringfence.engine.message;

import io.ringfence.membership.MemberId;

/**
 * The sender has handed on nothing for that member: it has no link with it either, or no room.
 *
 * @param to whom the message was for
 */
public record RelayRefusal(MemberId to) implements DetourMessage {}
