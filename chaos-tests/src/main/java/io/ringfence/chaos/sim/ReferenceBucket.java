package io.ringfence.chaos.sim;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.algorithms.Kind;
import io.ringfence.chaos.sim.NodeClock.Instants;

/**
 * Token bucket, GCRA and leaking bucket. A charge of k owes k windows' worth of nanoseconds times
 * units; each nanosecond pays L of them. So everything is a whole number.
 */
final class ReferenceBucket extends ReferenceCounter {
  private final boolean delays;
  private long owedBefore; // at owedSince, before all entries
  private long owedSince;

  ReferenceBucket(Algorithm algorithm) {
    super(capacity(algorithm), algorithm);
    this.delays = algorithm.kind() == Kind.LEAKING_BUCKET;
  }

  private static long capacity(Algorithm algorithm) {
    if (algorithm.limit() == 0) {
      return 0;
    }
    return algorithm.kind() == Kind.LEAKING_BUCKET ? algorithm.burst() + 1 : algorithm.burst();
  }

  /** What is still owed at an instant, in nanoseconds times units. */
  private long owed(Instants now) {
    long owed = owedBefore;
    long since = owedSince;
    for (Entry entry : entries) {
      owed = Math.max(0, owed - (entry.at.elapsedNanos() - since) * limit);
      owed += entry.cost * windowNanos;
      since = entry.at.elapsedNanos();
    }
    return Math.max(0, owed - (now.elapsedNanos() - since) * limit);
  }

  @Override
  boolean fits(long cost, Instants now) {
    return owed(now) + cost * windowNanos <= capacity() * windowNanos;
  }

  /**
   * Goes on with what the product's bucket was seen to hold, if that is within what all charges
   * that were taken back may have given it.
   *
   * @param fullInNanos how long the product's takes to be full, rounded up
   * @return whether it is
   */
  boolean adopt(long fullInNanos, Instants now) {
    long seen = fullInNanos * limit;
    long byRight = owed(now);
    long uncertain = uncertainNanos() * limit;
    if (seen > byRight + uncertain || seen < byRight - takenBackUnits() * windowNanos) {
      return false;
    }
    entries.clear();
    owedBefore = seen;
    owedSince = now.elapsedNanos();
    return true;
  }

  @Override
  long uncertainNanos() {
    return takenBack() == 0 ? 0 : takenBack() + 1;
  }

  @Override
  boolean isFresh(Instants now) {
    return owed(now) == 0;
  }

  @Override
  long delayNanos(Instants now) {
    return delays ? first(wait -> owed(now) <= wait * limit) : 0;
  }

  @Override
  long mostWithin(long spanNanos) {
    return capacity() + spanNanos * limit / windowNanos;
  }
}
