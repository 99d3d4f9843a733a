package io.ringfence.engine.message;

import io.ringfence.membership.ViewName;
import java.util.List;

/**
 * The sender has closed these slots, and the receiver is to open them. It is sent again until it is
 * answered by a {@link TakenMessage}, or another view comes.
 *
 * @param view the view in which it counts, and in no other
 * @param slots the slots
 */
public record PassMessage(ViewName view, List<Passed> slots) implements SlotMessage {
  /** The most slots in one message. */
  public static final int MAX_SLOTS = 1 << 12;

  /**
   * A slot that is passed on.
   *
   * @param slot its number
   * @param version what the receiver's copy must hold: everything
   */
  public record Passed(int slot, Version version) {}

  /** Copies the list; throws IllegalArgumentException where it is empty or too long. */
  public PassMessage {
    slots = List.copyOf(slots);
    if (slots.isEmpty() || slots.size() > MAX_SLOTS) {
      throw new IllegalArgumentException(slots.size() + " slots, must be 1 to 4,096");
    }
  }
}
