package io.ringfence.engine.message;

import io.ringfence.membership.ViewName;
import java.util.BitSet;

/**
 * Slots that were passed to the sender are open there.
 *
 * @param view the view in which they were passed
 * @param slots the slots; not to be changed after it was given
 */
public record TakenMessage(ViewName view, BitSet slots) implements SlotMessage {}
