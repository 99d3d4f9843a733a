package io.ringfence.engine.message;

import io.ringfence.membership.ViewName;
import java.util.List;

/**
 * Asks the owner of some counters to decide on all of them in one locked step.
 *
 * @param id by which the caller knows the answer again
 * @param view the caller's view; the receiver checks against its own that it owns the slots
 * @param mode what is to be done
 * @param budgetMicros how long the caller goes on waiting; an answer after it is of no use
 * @param counters the counters; all pass or nothing is charged; 1 to 64
 */
public record CheckMessage(
    long id, ViewName view, Mode mode, long budgetMicros, List<CounterAsk> counters)
    implements PeerMessage {

  /** The most counters that one message names. */
  public static final int MAX_COUNTERS = 64;

  /** Validates the number of counters. */
  public CheckMessage {
    counters = List.copyOf(counters);
    if (counters.isEmpty() || counters.size() > MAX_COUNTERS) {
      throw new IllegalArgumentException("counters must be 1 to 64, not " + counters.size());
    }
    if (budgetMicros < 0) {
      throw new IllegalArgumentException("budgetMicros must not be negative: " + budgetMicros);
    }
  }

  /** What is to be done. The code is what crosses the wire and is never given another meaning. */
  public enum Mode {
    /** Decide and charge. */
    CHARGE(1),
    /** Say what a charge would be told; charge nothing. */
    PEEK(2),
    /** Decide and charge, but remember the charge under the id, as a CANCEL may follow. */
    TENTATIVE(3);

    private final int code;

    Mode(int code) {
      this.code = code;
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
