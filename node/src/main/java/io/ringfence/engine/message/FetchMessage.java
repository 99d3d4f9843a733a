package io.ringfence.engine.message;

import io.ringfence.membership.ViewName;
import java.util.BitSet;

/**
 * The sender wants copies of slots of which the receiver has the best.
 *
 * @param view the view in which it counts
 * @param slots the slots; not to be changed after it was given
 */
public record FetchMessage(ViewName view, BitSet slots) implements SlotMessage {}
