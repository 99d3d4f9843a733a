package io.ringfence.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a locked step came to.
 *
 * @param end how it ended; without DECIDED there are no answers and no charges
 * @param passed whether no counter denied, shadow ones aside; if so, and if asked to, all were
 *     charged
 * @param answers one for each target, in order
 * @param charges what was charged; empty if nothing was
 * @param lifts counters that other members were told to wait for, longer than is true now
 */
record Step(
    End end,
    boolean passed,
    List<LimitVerdict.Answer> answers,
    List<Charge> charges,
    List<CounterKey> lifts) {

  /** A counter's slot is not open at this node. */
  static final Step NOT_OPEN = new Step(End.NOT_OPEN, false, List.of(), List.of(), List.of());

  /** This node held no lease once it had decided; nothing was changed. */
  static final Step FENCED = new Step(End.FENCED, false, List.of(), List.of(), List.of());

  /** The table has no room for a new counter. */
  static final Step NO_ROOM = new Step(End.NO_ROOM, false, List.of(), List.of(), List.of());

  /** Nothing was asked. */
  static final Step NOTHING = decided(true, List.of(), List.of(), List.of());

  static Step decided(
      boolean passed,
      List<LimitVerdict.Answer> answers,
      List<Charge> charges,
      List<CounterKey> lifts) {
    return new Step(End.DECIDED, passed, answers, charges, lifts);
  }

  /** How a step ended. */
  enum End {
    DECIDED,
    NOT_OPEN,
    FENCED,
    NO_ROOM
  }

  /**
   * A charge that was made.
   *
   * @param counter the counter
   * @param cost the amount
   * @param at when
   * @param number the number of the change that it was
   * @param claim the hold on it, if it was made for a request with a name
   */
  record Charge(Counter counter, long cost, Moment at, long number, @Nullable Claim claim) {
    Charge heldBy(Claim another) {
      return new Charge(counter, cost, at, number, another);
    }

    /** Whether it was made by this step, and not for the same request before. */
    boolean isNew() {
      return claim == null || !claim.isRepeat();
    }
  }
}
