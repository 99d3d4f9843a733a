package io.ringfence.engine.message;

import io.ringfence.membership.MemberId;
import io.ringfence.membership.ViewName;
import java.util.List;

/**
 * The receiver of a check does not decide for one of its slots.
 *
 * @param id the check's
 * @param view the view by which it does not; a caller with an older one fetches it and asks again
 * @param moved slots of the check that have moved in that view already, each with who decides now
 */
public record NotOwnerMessage(long id, ViewName view, List<Moved> moved) implements PeerMessage {

  /**
   * A slot that has moved.
   *
   * @param slot its number
   * @param to who decides for it, or is about to
   */
  public record Moved(int slot, MemberId to) {}

  /** Copies the list; throws IllegalArgumentException where it is longer than a check. */
  public NotOwnerMessage {
    moved = List.copyOf(moved);
    if (moved.size() > CheckMessage.MAX_COUNTERS) {
      throw new IllegalArgumentException("at most 64 slots, not " + moved.size());
    }
  }
}
