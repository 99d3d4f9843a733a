package io.ringfence.engine.message;

import io.ringfence.membership.ViewName;
import java.util.BitSet;

/**
 * What the sender held of the slots that it owned up to a view and lost by it.
 *
 * <p>A slot named here had no counter when the sender gave it up, and the sender knew all of its
 * past. Its new owner, starting without a counter, therefore misses nothing.
 *
 * @param view the view by which the sender lost the slots; an inventory counts for that view alone
 * @param vacant the slots that held nothing; not to be changed after it was given
 */
public record InventoryMessage(ViewName view, BitSet vacant) implements PeerMessage {}
