package io.ringfence.engine;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.algorithms.Timeline;
import io.ringfence.rules.OnStateLost;
import java.math.BigInteger;

/** What is assumed to have been used of a counter of which nobody knows any more. */
final class Assumption {
  private Assumption() {}

  /**
   * Units to be taken for used.
   *
   * @param lostAt when the last that knew was lost, on the algorithm's timeline
   */
  static long used(OnStateLost policy, Algorithm algorithm, long lostAt) {
    return switch (policy) {
      case FRESH -> 0;
      case PRORATED -> prorated(algorithm, lostAt);
      case SPENT -> algorithm.capacity();
    };
  }

  /** Rounded up, so that what is left is never more than the rest of the window allows. */
  private static long prorated(Algorithm algorithm, long lostAt) {
    if (algorithm.timeline() != Timeline.WALL) {
      return (algorithm.capacity() + 1) / 2;
    }
    long over = Math.floorMod(lostAt, algorithm.windowNanos());
    BigInteger window = BigInteger.valueOf(algorithm.windowNanos());
    return BigInteger.valueOf(algorithm.capacity())
        .multiply(BigInteger.valueOf(over))
        .add(window.subtract(BigInteger.ONE))
        .divide(window)
        .longValueExact();
  }
}
