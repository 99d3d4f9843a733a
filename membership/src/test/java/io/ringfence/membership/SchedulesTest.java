package io.ringfence.membership;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every directed schedule, from several seeds; a failure prints its seed and its story. */
class SchedulesTest {
  static final int SEEDS = 25;

  @ParameterizedTest
  @EnumSource(Schedule.class)
  void whatMustComeOutRight(Schedule schedule) {
    for (long seed = 0; seed < SEEDS; seed++) {
      schedule.play(new SimulatedCluster(seed).telling());
    }
  }
}
