package io.ringfence.engine;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.algorithms.CounterState;
import io.ringfence.algorithms.Decision;
import io.ringfence.engine.LimitVerdict.Answer;

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
  private int generation; // grows with every charge that finds the state as good as fresh
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

  /** Makes the given algorithm the one that decides from here on. */
  void adopt(Algorithm current, Moment now) {
    if (current != algorithm) {
      state = current.adopt(algorithm, state, now.on(current.timeline()));
      algorithm = current;
    }
  }

  Decision peek(long cost, Moment now) {
    return algorithm.peek(state, cost, time(now));
  }

  Decision charge(long cost, Moment now) {
    if (algorithm.isFresh(state, time(now))) {
      generation++;
    }
    return algorithm.charge(state, cost, time(now));
  }

  int generation() {
    return generation;
  }

  void credit(long amount, Moment now) {
    algorithm.credit(state, amount, time(now));
  }

  void debit(long amount, Moment now) {
    if (algorithm.isFresh(state, time(now))) {
      generation++;
    }
    algorithm.debit(state, amount, time(now));
  }

  /** Makes it as good as new. No charge from before can be taken back any more. */
  void reset(Moment now) {
    state = algorithm.fresh(time(now));
    generation++;
  }

  /** Units that a full counter would have more than this one, rounded up. */
  long used(Moment now) {
    Decision decision = algorithm.peek(state, 1, time(now));
    return decision.limit() - decision.remaining();
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

  /**
   * Takes back a charge, if it still weighs: the counter has not been as good as fresh since, and
   * an aligned window has not rolled over. Otherwise the charge has left by itself, and taking it
   * back would be a gift.
   */
  void undo(Step.Charge charge, Moment now) {
    boolean sameWindow =
        switch (algorithm.timeline()) {
          case ELAPSED -> true;
          case WALL -> window(charge.at()) == window(now);
        };
    if (charge.generation() == generation && sameWindow) {
      algorithm.credit(state, charge.cost(), time(now));
    }
  }

  private long window(Moment moment) {
    return Math.floorDiv(moment.wallNanos(), algorithm.windowNanos());
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
