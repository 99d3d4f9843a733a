package io.ringfence.engine.message;

import io.ringfence.membership.ViewName;

/**
 * The sender should open slots, and asks what the receiver holds of all that the sender owns by the
 * base of a view.
 *
 * @param view the view
 */
public record InventoryRequest(ViewName view) implements SlotMessage {}
