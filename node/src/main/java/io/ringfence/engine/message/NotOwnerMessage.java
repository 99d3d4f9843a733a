package io.ringfence.engine.message;

import io.ringfence.membership.ViewName;

/**
 * The receiver of a check does not own one of its slots.
 *
 * @param id the check's
 * @param view the view by which it does not; a caller with an older one fetches it and asks again
 */
public record NotOwnerMessage(long id, ViewName view) implements PeerMessage {}
