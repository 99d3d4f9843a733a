package io.ringfence.membership;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/**
 * Faults of all kinds at random, from thousands of seeds. {@link ViewInvariants} are held at every
 * instant; and once it is quiet, everybody is in one settled view, with a lease, in time. A failing
 * seed is printed, and {@code new RandomSchedule(seed)} replays it.
 */
class RandomSchedulesTest {
  private static final int SEEDS = 2_000;

  @Test
  void whateverHappensLeasesExcludeEachOtherAndOneViewRemains() {
    int views = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      views += new RandomSchedule(seed).run();
    }
    assertTrue(views > 4 * SEEDS, "hardly any views: " + views);
  }
}
