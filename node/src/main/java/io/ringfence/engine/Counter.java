package io.ringfence.engine;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.algorithms.CounterState;
import io.ringfence.algorithms.Decision;
import io.ringfence.algorithms.Timeline;

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
  private boolean removed; // once true the table no longer has it, and it must not be charged

  Counter(CounterKey key, Slot slot, Algorithm algorithm, Moment now) {
    this.key = key;
    this.slot = slot;
    this.algorithm = algorithm;
    this.state = algorithm.fresh(now.on(algorithm.timeline()));
  }

  CounterKey key() {
    return key;
  }

  Slot slot() {
    return slot;
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

  /**
   * Whether something that this node does not know of, before the given moment, could matter now.
   */
  boolean mayMiss(Moment since, Moment now) {
    return time(now) < algorithm.forgetsAtNanos(time(since));
  }

  Timeline timeline() {
    return algorithm.timeline();
  }

  private long time(Moment moment) {
    return moment.on(algorithm.timeline());
  }
}
