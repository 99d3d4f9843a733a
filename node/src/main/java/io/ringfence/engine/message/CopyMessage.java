package io.ringfence.engine.message;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.membership.ViewName;
import java.util.List;

/**
 * Copies of slots, from the member that decides for them to one that keeps copies. It is answered
 * by a {@link CopiedMessage}.
 *
 * @param number larger than that of every earlier one to the same member
 * @param view the sender's view; it counts in that view alone
 * @param algorithms those of the counters; a state can be read only with its own
 * @param slots the slots, each once
 */
public record CopyMessage(
    long number, ViewName view, List<Algorithm> algorithms, List<SlotCopy> slots)
    implements SlotMessage {
  /** The most slots in one message. */
  public static final int MAX_SLOTS = 1 << 12;

  /** The most algorithms in one message. */
  public static final int MAX_ALGORITHMS = 1 << 10;

  /** Copies the lists; throws IllegalArgumentException where one is too long. */
  public CopyMessage {
    algorithms = List.copyOf(algorithms);
    slots = List.copyOf(slots);
    if (algorithms.size() > MAX_ALGORITHMS || slots.isEmpty() || slots.size() > MAX_SLOTS) {
      throw new IllegalArgumentException(
          algorithms.size() + " algorithms (0 to 1,024), " + slots.size() + " slots (1 to 4,096)");
    }
  }
}
