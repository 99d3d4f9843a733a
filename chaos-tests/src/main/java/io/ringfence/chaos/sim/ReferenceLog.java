package io.ringfence.chaos.sim;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.chaos.sim.NodeClock.Instants;

/** The sliding log: a charge at t counts before t + W, and not from then on. */
final class ReferenceLog extends ReferenceCounter {
  ReferenceLog(Algorithm algorithm) {
    super(algorithm.limit(), algorithm);
  }

  @Override
  boolean fits(long cost, Instants now) {
    long sum = cost;
    for (Entry entry : entries) {
      sum += counts(entry, now) ? entry.cost : 0;
    }
    return sum <= limit;
  }

  private boolean counts(Entry entry, Instants now) {
    return now.elapsedNanos() - entry.at.elapsedNanos() < windowNanos;
  }

  @Override
  boolean isFresh(Instants now) {
    return entries.stream().noneMatch(entry -> counts(entry, now));
  }

  @Override
  long mostWithin(long spanNanos) {
    return limit * (spanNanos / windowNanos + 1);
  }
}
