package io.ringfence.chaos.sim;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.chaos.sim.NodeClock.Instants;

/** Fixed window, and the sliding counter that also weighs the window before. */
final class ReferenceWindow extends ReferenceCounter {
  private final boolean sliding;

  ReferenceWindow(Algorithm algorithm, boolean sliding) {
    super(algorithm.limit(), algorithm);
    this.sliding = sliding;
  }

  private long index(Instants at) {
    return Math.floorDiv(at.wallNanos(), windowNanos);
  }

  private long chargedIn(long window) {
    long sum = 0;
    for (Entry entry : entries) {
      boolean here = index(entry.at) == window;
      sum =
          switch (entry.what) {
            case CHARGED -> sum + (here ? entry.cost : 0);
            case GIVEN_BACK -> Math.max(0, sum - (here ? entry.cost : 0));
            case RESET -> 0;
          };
    }
    return sum;
  }

  @Override
  boolean isExactWithout(int index, Instants now) {
    boolean turned = index(entries.get(index).at) < index(now);
    return !sliding || !turned || !givenBackSince(index);
  }

  @Override
  boolean fits(long cost, Instants now) {
    long window = index(now);
    long leftNanos = (window + 1) * windowNanos - now.wallNanos();
    long weighed = sliding ? chargedIn(window - 1) * leftNanos : 0;
    return weighed + (chargedIn(window) + cost) * windowNanos <= limit * windowNanos;
  }

  @Override
  boolean isFresh(Instants now) {
    return chargedIn(index(now)) == 0 && (!sliding || chargedIn(index(now) - 1) == 0);
  }

  /** A window may be a tenth shorter where wall time runs ahead, and a span touches one more. */
  @Override
  long mostWithin(long spanNanos) {
    return limit * (spanNanos * 11 / 10 / windowNanos + 2);
  }
}
