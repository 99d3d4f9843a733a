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
    long owed = 0;
    long since = 0;
    for (Entry entry : entries) {
      owed = Math.max(0, owed - (entry.at.elapsedNanos() - since) * limit);
      owed =
          switch (entry.what) {
            case CHARGED -> owed + entry.cost * windowNanos;
            case GIVEN_BACK -> Math.max(0, owed - entry.cost * windowNanos);
            case RESET -> 0;
          };
      since = entry.at.elapsedNanos();
    }
    Instants behindSince = behindSince();
    if (behindSince != null) {
      owed = Math.max(0, owed - (behindSince.elapsedNanos() - since) * limit);
      owed += uncertainNanos() * limit;
      since = behindSince.elapsedNanos();
    }
    return Math.max(0, owed - (now.elapsedNanos() - since) * limit);
  }

  @Override
  boolean fits(long cost, Instants now) {
    return owed(now) + cost * windowNanos <= capacity() * windowNanos;
  }

  @Override
  long uncertainNanos() {
    return 2L * takenBack();
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
