package io.ringfence.ring;

import org.jspecify.annotations.Nullable;

/**
 * A slot whose owner is another one in the second of two rings.
 *
 * @param slot the slot
 * @param from its owner in the first ring; null where that ring is empty
 * @param to its owner in the second ring; null where that ring is empty
 */
public record Move(int slot, @Nullable String from, @Nullable String to) {}
