package io.ringfence.engine.message;

/**
 * How much of a slot's past its owner knows.
 *
 * @param kind how sure it is of what was charged before
 * @param ageNanos for how long it has known all that happens, 0 or more; 0 and of no meaning where
 *     it has known all along. An age, as clocks of two processes have nothing in common
 */
public record Knowledge(Kind kind, long ageNanos) {
  /** Every charge of the past is known. */
  public static final Knowledge WHOLE = new Knowledge(Kind.WHOLE, 0);

  /** How sure; the code is what crosses the wire. */
  public enum Kind {
    /** Everything is known. */
    WHOLE(0),
    /** What was charged before comes from a copy, which may lack the last of it. */
    COPIED(1),
    /** What was charged before is not known. */
    LOST(2),
    /**
     * What was charged before to counters of long windows was saved across a restart, though
     * perhaps not the last of it; of others it is not known.
     */
    SAVED(3);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    /** The code on the wire. */
    public int code() {
      return code;
    }

    /** The kind of that code; throws IllegalArgumentException where there is none. */
    public static Kind ofCode(int code) {
      for (Kind kind : values()) {
        if (kind.code == code) {
          return kind;
        }
      }
      throw new IllegalArgumentException("no kind of knowledge has code " + code);
    }
  }

  /**
   * @throws IllegalArgumentException where the age is negative
   */
  public Knowledge {
    if (ageNanos < 0) {
      throw new IllegalArgumentException("an age is not negative: " + ageNanos);
    }
  }
}
