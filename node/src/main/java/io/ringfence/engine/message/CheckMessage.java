package io.ringfence.engine.message;

import io.ringfence.membership.ViewName;
import java.util.List;

/**
 * Asks the owner of some counters to do something to all of them in one locked step.
 *
 * @param id by which the caller knows the answer again
 * @param view the caller's view; the receiver checks against its own that it owns the slots
 * @param deed what is to be done
 * @param budgetMicros how long the caller goes on waiting; an answer after it is of no use
 * @param counters the counters; where they are charged, all pass or nothing is; 1 to 64
 */
public record CheckMessage(
    long id, ViewName view, Deed deed, long budgetMicros, List<CounterAsk> counters)
    implements PeerMessage {

  /** The most counters that one message names. */
  public static final int MAX_COUNTERS = 64;

  /** Validates the number of counters. */
  public CheckMessage {
    counters = List.copyOf(counters);
    if (counters.isEmpty() || counters.size() > MAX_COUNTERS) {
      throw new IllegalArgumentException("counters must be 1 to 64, not " + counters.size());
    }
    for (CounterAsk ask : counters) {
      if ((ask.late() != null) != (deed.mode() == Deed.Mode.LATE)) {
        throw new IllegalArgumentException(deed.mode() + " claims late charges, or should");
      }
    }
    if (budgetMicros < 0) {
      throw new IllegalArgumentException("budgetMicros must not be negative: " + budgetMicros);
    }
  }

  /** The same, with less time to answer in. */
  public CheckMessage withBudget(long micros) {
    return new CheckMessage(id, view, deed, micros, counters);
  }

  /** What is to be done. */
  public Deed.Mode mode() {
    return deed.mode();
  }
}
