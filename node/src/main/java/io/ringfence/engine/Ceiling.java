package io.ringfence.engine;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.algorithms.CounterState;
import io.ringfence.algorithms.Kind;

/**
 * What all local buckets of a node together may admit: so many checks a second, and no more than
 * that at once. Thread-safe; the monitor is held for the arithmetic.
 */
final class Ceiling {
  private static final long SECOND_NANOS = 1_000_000_000L;

  private final Clock clock;
  private final Algorithm algorithm;
  private final CounterState state; // guarded by this

  Ceiling(long checksPerSecond, Clock clock) {
    this.clock = clock;
    this.algorithm =
        Algorithm.of(Kind.TOKEN_BUCKET, checksPerSecond, SECOND_NANOS, checksPerSecond);
    this.state = algorithm.fresh(clock.elapsedNanos());
  }

  /** Takes one check's place; false where there is none. */
  synchronized boolean take() {
    return algorithm.charge(state, 1, clock.elapsedNanos()).allowed();
  }

  /** Gives one back that was not used after all. */
  synchronized void giveBack() {
    algorithm.credit(state, 1, clock.elapsedNanos());
  }
}
