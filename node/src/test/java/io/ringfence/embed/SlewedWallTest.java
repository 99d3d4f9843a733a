package io.ringfence.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class SlewedWallTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long START = 1_767_225_600L * SECOND;

  @Test
  void insideTheDeadBandAnInstantKeepsItsWallTime() {
    SlewedWall line = SlewedWall.anchored(0, START);
    SlewedWall later = line.observed(5 * SECOND, START + 5 * SECOND + 15_000_000);
    assertEquals(line.at(100 * SECOND), later.at(100 * SECOND));
  }

  @Test
  void aStepOfAMinuteIsFollowedInTenMinutesAndNeverFaster() {
    SlewedWall line = SlewedWall.anchored(0, START).observed(0, START + 60 * SECOND);
    assertEquals(START, line.at(0));
    assertEquals(START + 11 * SECOND, line.at(10 * SECOND));
    assertEquals(START + 660 * SECOND, line.at(600 * SECOND));
    assertEquals(START + 1_060 * SECOND, line.at(1_000 * SECOND));
  }

  @Test
  void aStepBackSlowsWallTimeButNeverStopsIt() {
    SlewedWall line = SlewedWall.anchored(0, START).observed(0, START - 60 * SECOND);
    assertEquals(START + 9 * SECOND, line.at(10 * SECOND));
    assertEquals(START + 540 * SECOND, line.at(600 * SECOND));
  }

  @Test
  void onceItHasMetTheSystemClockItRunsWithIt() {
    SlewedWall line = SlewedWall.anchored(0, START).observed(0, START + SECOND);
    SlewedWall met = line.observed(10 * SECOND, START + 11 * SECOND);
    assertEquals(START + 21 * SECOND, met.at(20 * SECOND));
  }

  @Property
  void neverStepsAndNeverRunsMoreThanATenthOff(
      @ForAll @LongRange(min = -86_400, max = 86_400) long stepSeconds,
      @ForAll @LongRange(min = 1, max = 3_600) long aSeconds,
      @ForAll @LongRange(min = 1, max = 3_600) long bSeconds) {
    SlewedWall first = SlewedWall.anchored(0, START);
    long a = aSeconds * SECOND;
    SlewedWall second = first.observed(a, first.at(a) + stepSeconds * SECOND);
    assertEquals(first.at(a), second.at(a));
    long passed = second.at(a + bSeconds * SECOND) - second.at(a);
    assertTrue(passed >= bSeconds * SECOND * 9 / 10, () -> "too slow: " + passed);
    assertTrue(passed <= bSeconds * SECOND * 11 / 10, () -> "too fast: " + passed);
  }
}
