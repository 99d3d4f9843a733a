package io.ringfence.engine.message;

import io.ringfence.membership.ViewName;
import java.util.List;

/**
 * Acknowledges a {@link CopyMessage}: what it told of all slots is taken in, but for those named
 * here.
 *
 * @param number the number of the message
 * @param view the view of the message
 * @param untaken slots of the message that were not taken in, and why
 */
public record CopiedMessage(long number, ViewName view, List<Untaken> untaken)
    implements SlotMessage {

  /** Why a slot was not taken in; the code is what crosses the wire. */
  public enum Reason {
    /** There is no full copy to go on from; a whole one is wanted. */
    WANTS_WHOLE(0),
    /** There is no room for its counters. */
    NO_ROOM(1),
    /** The receiver holds no lease yet, and so should not be given a slot; ask again soon. */
    NOT_YET(2),
    /** The receiver has a later term, or decides for the slot itself. */
    OUTDATED(3);

    private final int code;

    Reason(int code) {
      this.code = code;
    }

    /** The code on the wire. */
    public int code() {
      return code;
    }

    /** The reason of that code; throws IllegalArgumentException where there is none. */
    public static Reason ofCode(int code) {
      for (Reason reason : values()) {
        if (reason.code == code) {
          return reason;
        }
      }
      throw new IllegalArgumentException("no reason has code " + code);
    }
  }

  /**
   * A slot that was not taken in.
   *
   * @param slot its number
   * @param reason why
   */
  public record Untaken(int slot, Reason reason) {}

  /** Copies the list; throws IllegalArgumentException where it is too long. */
  public CopiedMessage {
    untaken = List.copyOf(untaken);
    if (untaken.size() > CopyMessage.MAX_SLOTS) {
      throw new IllegalArgumentException(untaken.size() + " untaken, at most 4,096");
    }
  }
}
