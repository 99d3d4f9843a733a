package io.ringfence.engine;

import java.util.List;

/**
 * What a locked step came to.
 *
 * @param end how it ended; without DECIDED there are no answers and no charges
 * @param passed whether no counter denied, shadow ones aside; if so, and if asked to, all were
 *     charged
 * @param answers one for each target, in order
 * @param charges what was charged; empty if nothing was
 */
record Step(End end, boolean passed, List<LimitVerdict.Answer> answers, List<Charge> charges) {

  /** A counter's slot is not open at this node. */
  static final Step NOT_OPEN = new Step(End.NOT_OPEN, false, List.of(), List.of());

  /** The table has no room for a new counter. */
  static final Step NO_ROOM = new Step(End.NO_ROOM, false, List.of(), List.of());

  static Step decided(boolean passed, List<LimitVerdict.Answer> answers, List<Charge> charges) {
    return new Step(End.DECIDED, passed, answers, charges);
  }

  /** How a step ended. */
  enum End {
    DECIDED,
    NOT_OPEN,
    NO_ROOM
  }

  /**
   * A charge that was made.
   *
   * @param counter the counter
   * @param cost the amount
   * @param at when
   * @param generation the counter's generation that the charge belongs to
   */
  record Charge(Counter counter, long cost, Moment at, int generation) {

    /** Takes the charge back, as far as it still weighs. */
    void undo(Clock clock) {
      synchronized (counter) {
        if (!counter.removed()) {
          counter.undo(this, Moment.of(clock));
        }
      }
    }
  }
}
