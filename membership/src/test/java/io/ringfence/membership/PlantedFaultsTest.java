package io.ringfence.membership;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A test of the tests: with any of the rules broken, its schedule fails in at least one of the
 * seeds in which it passes with the rules as they are ({@link SchedulesTest}).
 */
class PlantedFaultsTest {
  private static final List<Long> SEEDS = LongStream.range(0, SchedulesTest.SEEDS).boxed().toList();

  @ParameterizedTest
  @EnumSource(PlantedFault.class)
  void isNoticed(PlantedFault fault) {
    List<Long> noticed = fault.noticedIn(SEEDS);
    System.out.println(fault + ": " + fault.noticedBy() + ", " + noticed.size() + " seeds");
    assertFalse(noticed.isEmpty(), () -> fault + " is not noticed by " + fault.noticedBy());
  }
}
