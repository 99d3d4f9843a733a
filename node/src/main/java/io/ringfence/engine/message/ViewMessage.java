package io.ringfence.engine.message;

import io.ringfence.membership.View;

/**
 * A view, published or asked for.
 *
 * @param view the view
 */
public record ViewMessage(View view) implements PeerMessage {}
