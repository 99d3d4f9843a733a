package io.ringfence.chaos.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.chaos.virtual.Runs;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The engine, under some thousands of schedules. {@code -Dringfence.simulate.schedules=N} runs
 * more, {@code -Dringfence.simulate.seed=S} others.
 */
class SimulatedSchedulesTest {
  private static final long SCHEDULES = Long.getLong("ringfence.simulate.schedules", 2_000);
  private static final long FIRST_SEED = Long.getLong("ringfence.simulate.seed", 1);

  @Test
  void noScheduleBreaksAnInvariantAndEveryListedFaultMetEveryListedStep() {
    Runs.Result<Coverage> result =
        Campaign.run(new Runs.Seeds(FIRST_SEED, SCHEDULES, 1, () -> false));
    System.out.printf(
        "measured: %d schedules from seed %d, %d checks, %d violations%n",
        result.runs(), FIRST_SEED, result.checks(), result.violated());
    assertEquals(List.of(), result.violations(), () -> firstStory(result));
    assertEquals(SCHEDULES, result.runs());
    assertEquals(List.of(), result.coverage().missing(), () -> result.coverage().markdown());
  }

  private static String firstStory(Runs.Result<Coverage> result) {
    long first = result.violations().get(0).seed();
    return "the story of seed " + first + ":\n" + String.join("\n", Campaign.story(first)) + "\n";
  }

  @Test
  void oneSeedTellsOneStory() {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + 10; seed++) {
      List<String> story = Campaign.story(seed);
      assertFalse(story.isEmpty());
      assertEquals(story, Campaign.story(seed), "seed " + seed);
    }
  }

  @Test
  void aRunIsTheSameWhetherItIsToldOrNot() {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + 10; seed++) {
      Outcome told = Simulation.run(seed, true);
      Outcome untold = Simulation.run(seed, false);
      assertEquals(told.calls(), untold.calls());
      assertEquals(told.coverage().markdown(), untold.coverage().markdown());
      assertTrue(untold.story().isEmpty());
    }
  }

  @Test
  void whatIsMetBySeveralThreadsIsWhatOneMeets() {
    Runs.Result<Coverage> one = Campaign.run(new Runs.Seeds(FIRST_SEED, 40, 1, () -> false));
    Runs.Result<Coverage> three = Campaign.run(new Runs.Seeds(FIRST_SEED, 40, 3, () -> false));
    assertEquals(one.checks(), three.checks());
    assertEquals(one.coverage().markdown(), three.coverage().markdown());
  }

  @Test
  void aRunThatMetNothingIsFoundOut() {
    assertFalse(new Coverage().missing().isEmpty());
    Runs.Result<Coverage> calmOnly = Campaign.run(new Runs.Seeds(4, 1, 1, () -> false));
    assertTrue(calmOnly.coverage().missing().contains("lost / CANCEL"));
  }
}
