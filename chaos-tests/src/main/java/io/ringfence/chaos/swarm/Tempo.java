package io.ringfence.chaos.swarm;

import java.time.Duration;

/**
 * How fast the network of one run is, in virtual nanoseconds.
 *
 * @param leastNanos the shortest way
 * @param mostNanos the longest way of a link that is not slow
 * @param silenceNanos after how long without a word a connection is given up
 * @param lanes whether answers travel on a connection of their own and so overtake questions
 * @param loopLagNanos how much later than its engine a node's keeper is told of anything, at most;
 *     it has a thread of its own
 */
record Tempo(long leastNanos, long mostNanos, long silenceNanos, boolean lanes, long loopLagNanos) {
  private static final long MICRO = 1_000;

  /** 0.1 to 3 ms, a second, two connections a pair. */
  static final Tempo DEFAULT =
      new Tempo(100 * MICRO, 3_000 * MICRO, Duration.ofSeconds(1).toNanos(), true, 0);
}
