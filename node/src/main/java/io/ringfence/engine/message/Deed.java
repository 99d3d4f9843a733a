package io.ringfence.engine.message;

import org.jspecify.annotations.Nullable;

/**
 * What is to be done to the counters of a {@link CheckMessage}.
 *
 * @param mode what
 * @param request if it was done for this request already, within the last minute, the first answer
 *     is given again and nothing is done; null for a request without a name
 * @param tenant on whose account new counters take room in the table, 1..65535, or 0 where the
 *     request names no tenant
 */
public record Deed(Mode mode, @Nullable RequestKey request, int tenant) {

  /** The largest number of a tenant. */
  public static final int MAX_TENANT = 65_535;

  /** Validates the tenant's number. */
  public Deed {
    if (tenant < 0 || tenant > MAX_TENANT) {
      throw new IllegalArgumentException("tenant must be from 0 to 65535, not " + tenant);
    }
  }

  /** The same for a request that has no name and names no tenant. */
  public static Deed of(Mode mode) {
    return new Deed(mode, null, 0);
  }

  /** What is to be done. The code is what crosses the wire and is never given another meaning. */
  public enum Mode {
    /** Decide and charge. */
    CHARGE(1),
    /** Say what a charge would be told; charge nothing. */
    PEEK(2),
    /** Decide and charge, but remember the charge under the id, as a CANCEL may follow. */
    TENTATIVE(3),
    /** Give the cost back, never above full. */
    REFUND(4),
    /** Make the counters as good as new. */
    RESET(5),
    /** Charge the cost, whether it fits or not. */
    DEBIT(6),
    /** Charge, whether it fits or not, what the counter does not know of yet: see {@link Late}. */
    LATE(7),
    /**
     * Take the cost for what was used before all copies were lost, in place of what was assumed; do
     * nothing where they were not.
     */
    RECOVER(8);

    private final int code;

    Mode(int code) {
      this.code = code;
    }

    /** Whether it tells of charges that were made already. */
    public boolean isClaim() {
      return this == DEBIT || this == LATE || this == RECOVER;
    }

    /** The code on the wire. */
    public int code() {
      return code;
    }

    /** The mode of that code; throws IllegalArgumentException where there is none. */
    public static Mode ofCode(int code) {
      for (Mode mode : values()) {
        if (mode.code == code) {
          return mode;
        }
      }
      throw new IllegalArgumentException("no mode has code " + code);
    }
  }
}
