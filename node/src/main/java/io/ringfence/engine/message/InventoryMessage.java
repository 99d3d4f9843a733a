package io.ringfence.engine.message;

import io.ringfence.membership.ViewName;
import java.util.List;

/**
 * What the sender holds of the slots that the receiver owns by the base of a view. It counts in
 * that view alone. A long one comes in parts.
 *
 * @param view the view
 * @param part from 0
 * @param parts how many there are, 1 or more
 * @param held slots that are open at the sender, or of which it has a full copy; each once
 */
public record InventoryMessage(ViewName view, int part, int parts, List<Held> held)
    implements SlotMessage {
  /** The most slots in one part. */
  public static final int MAX_HELD = 1 << 13;

  /** The most parts. */
  public static final int MAX_PARTS = 16;

  /**
   * A slot.
   *
   * @param slot its number
   * @param open whether the sender decides for it; else it has a copy
   * @param version what the sender knows of it
   */
  public record Held(int slot, boolean open, Version version) {}

  /** Copies the list; throws IllegalArgumentException where a number is out of its range. */
  public InventoryMessage {
    held = List.copyOf(held);
    if (parts < 1 || parts > MAX_PARTS || part < 0 || part >= parts || held.size() > MAX_HELD) {
      throw new IllegalArgumentException(
          "part " + part + " of " + parts + " (at most 16) with " + held.size() + " (8,192) slots");
    }
  }
}
