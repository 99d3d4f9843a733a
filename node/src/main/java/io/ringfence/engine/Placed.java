package io.ringfence.engine;

import org.jspecify.annotations.Nullable;

/**
 * Where a counter lives.
 *
 * @param slot the slot that holds it, from 0
 * @param owner the node that decides, or null while this node is in no view
 * @param backup the node that would own the slot if the owner left, or null where there is no other
 * @param epoch the epoch of the view that says so, 0 without a view
 */
public record Placed(int slot, @Nullable String owner, @Nullable String backup, long epoch) {}
