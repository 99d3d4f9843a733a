package io.ringfence.engine.message;

/**
 * The receiver of a check cannot decide it.
 *
 * @param id the check's
 * @param reason why
 */
public record RefusalMessage(long id, Reason reason) implements PeerMessage {

  /** Why not. The code is what crosses the wire and is never given another meaning. */
  public enum Reason {
    /** Its rules have no such limit. */
    UNKNOWN_LIMIT(1),
    /** Its table of counters is full. */
    TABLE_FULL(2),
    /** It has more to do than it may queue. */
    OVERLOADED(3),
    /** It failed. */
    DEFECT(4),
    /** It holds no lease, and had none within half of the time that the check has. */
    NO_LEASE(5);

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
}
