package io.ringfence.engine.message;

import java.util.Arrays;
import java.util.List;

/**
 * The sender, who owns these counters, has told somebody to wait for them, and the wait is over
 * before its time: what the receiver remembers of such denials does not hold any more. Repeated
 * until a {@link LiftedMessage} comes.
 *
 * @param id by which the sender knows the acknowledgement again
 * @param lifted what it is about, 1 to {@link #MAX_LIFTED}
 */
public record LiftMessage(long id, List<Lifted> lifted) implements PeerMessage {

  /** The most counters or limits that one message names. */
  public static final int MAX_LIFTED = 64;

  /** Validates the number of counters. */
  public LiftMessage {
    lifted = List.copyOf(lifted);
    if (lifted.isEmpty() || lifted.size() > MAX_LIFTED) {
      throw new IllegalArgumentException("lifted must be 1 to 64, not " + lifted.size());
    }
  }

  /**
   * One counter, or all of a limit.
   *
   * @param limitId the limit
   * @param whole whether all counters of the limit are meant
   * @param values the values that the counter counts by, as a {@link CounterAsk} has them; empty
   *     where all are meant; not to be changed
   */
  @SuppressWarnings("ArrayRecordComponent") // equality is by content, and nobody writes to it
  public record Lifted(long limitId, boolean whole, byte[] values) {

    /** All counters of a limit. */
    public static Lifted all(long limitId) {
      return new Lifted(limitId, true, new byte[0]);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Lifted lifted
          && limitId == lifted.limitId
          && whole == lifted.whole
          && Arrays.equals(values, lifted.values);
    }

    @Override
    public int hashCode() {
      return 31 * Long.hashCode(limitId) + Arrays.hashCode(values);
    }
  }
}
