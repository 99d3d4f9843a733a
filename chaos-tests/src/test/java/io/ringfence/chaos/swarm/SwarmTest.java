package io.ringfence.chaos.swarm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.ringfence.chaos.virtual.Runs;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Whole clusters, under some hundred schedules. {@code -Dringfence.swarm.seeds=N} runs more, {@code
 * -Dringfence.swarm.from=S} others.
 */
class SwarmTest {
  private static final long SEEDS = Long.getLong("ringfence.swarm.seeds", 600);
  private static final long FIRST_SEED = Long.getLong("ringfence.swarm.from", 1);

  @Test
  void noSeedBreaksAnInvariantAndEveryListedFaultMetEveryListedState() {
    Runs.Result<Coverage> result = Campaign.run(new Runs.Seeds(FIRST_SEED, SEEDS, 1, () -> false));
    System.out.printf(
        "measured: %d runs from seed %d, %d checks, %d violations%n",
        result.runs(), FIRST_SEED, result.checks(), result.violated());
    assertEquals(List.of(), result.violations(), () -> firstStory(result));
    assertEquals(SEEDS, result.runs());
    assertEquals(List.of(), result.coverage().missing(), () -> result.coverage().markdown());
  }

  private static String firstStory(Runs.Result<Coverage> result) {
    long first = result.violations().get(0).seed();
    return "the story of seed " + first + ":\n" + String.join("\n", Campaign.story(first)) + "\n";
  }

  @Test
  void oneSeedTellsOneStoryAndIsTheSameRunUntold() {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + 15; seed++) {
      Outcome told = SwarmRun.run(seed, true);
      assertFalse(told.story().isEmpty());
      assertEquals(told.story(), SwarmRun.run(seed, true).story(), "seed " + seed);
      Outcome untold = SwarmRun.run(seed, false);
      assertEquals(told.checks(), untold.checks());
      assertEquals(told.virtualNanos(), untold.virtualNanos());
      assertEquals(told.coverage().markdown(), untold.coverage().markdown());
    }
  }
}
