package io.ringfence.engine.message;

import java.util.List;

/**
 * What a message tells of one slot.
 *
 * @param slot its number
 * @param kind what this is
 * @param version what the receiver has once it has taken this in; of a snapshot that goes on only
 *     the term counts
 * @param base of CONFIRM: the version that the receiver must have at least, in that term; else the
 *     same as the version
 * @param knowledge how much of the slot's past the sender knows
 * @param counters the counters
 */
public record SlotCopy(
    int slot,
    Kind kind,
    Version version,
    Version base,
    Knowledge knowledge,
    List<CounterCopy> counters) {
  /** The most counters of one slot in one message. */
  public static final int MAX_COUNTERS = 1 << 14;

  /** What it is; the code is what crosses the wire. */
  public enum Kind {
    /** The receiver should have a full copy already. */
    CONFIRM(0),
    /** A whole copy. */
    WHOLE(1),
    /** The first part of a whole copy. */
    FIRST(2),
    /** A further part of one. */
    MORE(3),
    /** The last part of one. */
    LAST(4),
    /** What changed since. */
    CHANGES(5);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    /** The code on the wire. */
    public int code() {
      return code;
    }

    /** Whether a whole copy begins with it. */
    public boolean begins() {
      return this == WHOLE || this == FIRST;
    }

    /** Whether a whole copy ends with it. */
    public boolean ends() {
      return this == WHOLE || this == LAST;
    }

    /** The kind of that code; throws IllegalArgumentException where there is none. */
    public static Kind ofCode(int code) {
      for (Kind kind : values()) {
        if (kind.code == code) {
          return kind;
        }
      }
      throw new IllegalArgumentException("no kind of copy has code " + code);
    }
  }

  /** Copies the counters; throws IllegalArgumentException where there are too many. */
  public SlotCopy {
    counters = List.copyOf(counters);
    if (slot < 0 || counters.size() > MAX_COUNTERS) {
      throw new IllegalArgumentException(
          "slot " + slot + " with " + counters.size() + " counters; at most " + MAX_COUNTERS);
    }
  }
}
