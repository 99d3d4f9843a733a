package io.ringfence.engine;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.algorithms.CounterState;
import io.ringfence.algorithms.Decision;
import io.ringfence.engine.LimitVerdict.Answer;
import org.jspecify.annotations.Nullable;

/**
 * One counter. Its own monitor guards all of it; every method is called with that monitor held.
 *
 * <p>A counter keeps the algorithm that its state was last written under. When the rules change,
 * the next touch adopts the new one, so that what was used stays used.
 */
final class Counter {
  private final CounterKey key;
  private final Slot slot;

  private Algorithm algorithm;
  private CounterState state;
  private long changes; // charges, debits and credits so far; each has its number, from 1
  private long undoableFrom; // charges of smaller numbers do not weigh any more; 0 = all may
  private @Nullable LeastOwed leastOwed; // null while no charge may be taken back
  private long toldUntilNanos; // elapsed time up to which other members know it denies; 0 = none
  private final int account; // on which it takes room in the table
  private boolean removed; // once true the table no longer has it, and it must not be charged

  Counter(Target target, Slot slot, int account, Moment now) {
    this.key = target.key();
    this.slot = slot;
    this.account = account;
    this.algorithm = target.algorithm();
    this.state = algorithm.fresh(now.on(algorithm.timeline()));
  }

  CounterKey key() {
    return key;
  }

  Slot slot() {
    return slot;
  }

  int account() {
    return account;
  }

  boolean removed() {
    return removed;
  }

  void markRemoved() {
    removed = true;
  }

  /**
   * Makes the given algorithm the one that decides from here on. Charges from before can not be
   * taken back any more, as they weigh differently now.
   */
  void adopt(Algorithm current, Moment now) {
    if (!counts(current)) {
      if (!current.equals(algorithm)) {
        undoableFrom = changes + 1;
      }
      state = current.adopt(algorithm, state, now.on(current.timeline()));
      algorithm = current;
    }
  }

  /** Whether it counts by that algorithm already. */
  boolean counts(Algorithm current) {
    return current == algorithm;
  }

  Decision peek(long cost, Moment now) {
    return algorithm.peek(state, cost, time(now));
  }

  /** Charges if it fits. */
  Decision charge(long cost, Moment now) {
    return charge(cost, time(now));
  }

  /** Charges if it fits, at that elapsed time; for who needs no more than the answer. */
  boolean tryCharge(long cost, long elapsedNanos, Clock clock) {
    long time =
        switch (algorithm.timeline()) {
          case ELAPSED -> elapsedNanos;
          case WALL -> clock.toWallNanos(elapsedNanos);
        };
    return charge(cost, time).allowed();
  }

  private Decision charge(long cost, long time) {
    noteCharge(time);
    return algorithm.charge(state, cost, time);
  }

  /** The number of the latest charge, by which it may be taken back. */
  long latestChange() {
    return changes;
  }

  /** The latest charge may be taken back, for as long as such charges are remembered. */
  void latestMayBeTakenBack(Moment now) {
    if (leastOwed == null) {
      leastOwed = new LeastOwed();
    }
    leastOwed.mayBeTakenBack(now.elapsedNanos());
  }

  /** Forgets what was kept for charges that can not be taken back any more. */
  void forgetOldCharges(Moment now) {
    if (leastOwed != null && leastOwed.isOver(now.elapsedNanos())) {
      leastOwed = null;
    }
  }

  /** Takes a charge back, as far as it still weighs. */
  void undo(Step.Charge charge, Moment now) {
    if (charge.number() < undoableFrom) {
      return;
    }
    long least = leastOwed == null ? Long.MAX_VALUE : leastOwed.since(charge.number());
    long time = time(now);
    long gaveBack = algorithm.undo(state, charge.cost(), time(charge.at()), least, time);
    if (leastOwed != null && gaveBack > 0) {
      leastOwed.lower(charge.number(), gaveBack);
    }
  }

  void credit(long amount, Moment now) {
    algorithm.credit(state, amount, time(now));
    changes++;
    noteOwed(time(now));
  }

  void debit(long amount, Moment now) {
    noteCharge(time(now));
    algorithm.debit(state, amount, time(now));
  }

  /** Makes it as good as new. No charge from before can be taken back any more. */
  void reset(Moment now) {
    state = algorithm.fresh(time(now));
    undoableFrom = changes + 1;
  }

  /**
   * Called right before something is charged. Where nothing refills, no less was owed then than
   * after the last refund.
   */
  private void noteCharge(long time) {
    changes++;
    if (algorithm.refills()) {
      noteOwed(time);
    }
  }

  private void noteOwed(long time) {
    if (leastOwed != null) {
      long owed = algorithm.owed(state, time);
      if (owed != Long.MAX_VALUE) {
        leastOwed.found(changes, owed);
      }
    }
  }

  /** Units that a full counter would have more than this one, rounded up. */
  long used(Moment now) {
    Decision decision = algorithm.peek(state, 1, time(now));
    return decision.limit() - decision.remaining();
  }

  /** How far it is from full, in the algorithm's measure. */
  long owed(Moment now) {
    return algorithm.owed(state, time(now));
  }

  /** Another member was told that this counter denies for that long, and will remember it. */
  void toldToWait(long nanos, Moment now) {
    long until =
        nanos > Long.MAX_VALUE - now.elapsedNanos() ? Long.MAX_VALUE : now.elapsedNanos() + nanos;
    toldUntilNanos = Math.max(toldUntilNanos, until);
  }

  /**
   * Whether somebody may still wait as told, by this node or by an owner before it; from now on
   * nobody does, as they will be told.
   */
  boolean liftsDenial(Moment now) {
    boolean lifts = toldUntilNanos > now.elapsedNanos() || !slot.fullyKnown();
    toldUntilNanos = 0;
    return lifts;
  }

  /** What a check of the target's cost would be told. */
  Answer look(Target target, Moment now) {
    adopt(target.algorithm(), now);
    return answer(peek(target.cost(), now), now);
  }

  /** The numbers of a decision, and how sure they are. */
  Answer answer(Decision decision, Moment now) {
    Moment knownSince = slot.knownSince();
    boolean assumed = knownSince != null && mayMiss(knownSince, now);
    return new Answer(
        decision.allowed(),
        decision.limit(),
        decision.remaining(),
        decision.retryAfterNanos(),
        now.toEpochMillis(algorithm.timeline(), decision.resetAtNanos()),
        decision.delayNanos(),
        assumed ? Certainty.ASSUMED : Certainty.EXACT);
  }

  boolean isFresh(Moment now) {
    return algorithm.isFresh(state, time(now));
  }

  /** Whether something before that moment, of which this node does not know, could matter now. */
  private boolean mayMiss(Moment since, Moment now) {
    return time(now) < algorithm.forgetsAtNanos(time(since));
  }

  private long time(Moment moment) {
    return moment.on(algorithm.timeline());
  }
}
