package io.ringfence.chaos;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringfence.chaos.cluster.Cluster;
import io.ringfence.chaos.cluster.Launcher;
import io.ringfence.chaos.cluster.Site;
import io.ringfence.chaos.faults.Fault;
import io.ringfence.chaos.faults.Faults;
import io.ringfence.chaos.faults.Outcome;
import io.ringfence.chaos.faults.Stage;
import io.ringfence.chaos.faults.Timings;
import io.ringfence.chaos.faults.Trial;
import io.ringfence.chaos.faults.TrialSettings;
import io.ringfence.chaos.load.Hiccups;
import io.ringfence.chaos.netns.Fabric;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A few trials of the command {@code faults}, small enough for every build: what each admits is
 * held against the row of the guarantees, key by key. Seeds are fixed, so a failure can be run
 * again.
 */
@Tag("processes")
class FaultTrialsTest {
  private static final Duration DEADLINE = Duration.ofSeconds(1);
  private static final Duration LEASE = Duration.ofSeconds(1);
  private static final Duration LAG = Duration.ofMillis(110);
  private static final Duration ANSWERED_WITHIN = DEADLINE.plusSeconds(1);
  private static final String CONFIG =
      "forward: {deadline: %dms}\nview: {lease: %dms}\n"
          .formatted(DEADLINE.toMillis(), LEASE.toMillis());
  private static final String RULES =
      "rules:\n  - {name: first, match: {route: /first}, limit: 1, window: 1h}\n";
  private static final TrialSettings SMALL =
      new TrialSettings(80, 6, 12, 400, new Timings(DEADLINE, LAG, LEASE));
  private static final long SEED = 20_261_130;
  private static final int KILLS = 3;

  @Test
  void E3_killsAndAStopInMidWindowStayWithinTheirBounds() {
    Fault kill = Faults.named("kill-sync");
    try (Stage stage = stage(kill, null)) {
      Trial.prepare(stage, kill);
      for (int number = 1; number <= KILLS; number++) {
        assertRight(new Trial(stage, kill, SMALL, number, SEED).run());
      }
      Fault stop = Faults.named("stop-short");
      assertRight(new Trial(stage, stop, SMALL, KILLS + 1, SEED).run());
    }
  }

  @Test
  void E6_aSplitOfThreeStaysWithinTheBoundsOfStrictAndShare() {
    Optional<String> missing = Fabric.missing();
    if (Boolean.getBoolean("ringfence.namespaces.required")) {
      assertEquals(Optional.empty(), missing);
    }
    assumeTrue(missing.isEmpty(), () -> "SKIPPED: " + missing);
    Fault split = Faults.named("split-2-1");
    try (Stage stage = stage(split, Fabric.of(split.nodes()))) {
      Trial.prepare(stage, split);
      assertRight(new Trial(stage, split, SMALL, 1, SEED).run());
    }
  }

  private static Stage stage(Fault fault, @Nullable Fabric fabric) {
    Site site = fabric == null ? Site.LOOPBACK : fabric;
    return new Stage(
        new Cluster(
            Launcher.packaged(), Trio.files(fault.name(), CONFIG, RULES), fault.nodes(), site),
        fabric);
  }

  private static void assertRight(List<Outcome> outcomes) {
    outcomes.forEach(outcome -> Trio.measured("fault", outcome.line(SEED)));
    assertAll(
        outcomes.stream()
            .map(
                outcome ->
                    () -> {
                      assertTrue(outcome.right(), () -> outcome.line(SEED));
                      assertInTime(outcome);
                    }));
  }

  private static void assertInTime(Outcome outcome) {
    Duration worst = ofMillis(outcome.worstMillis());
    Duration granted = ANSWERED_WITHIN.plus(Hiccups.grace(ofMillis(outcome.hiccupMillis())));
    assertTrue(worst.compareTo(granted) <= 0, () -> worst + ", not " + granted);
  }

  private static Duration ofMillis(double millis) {
    return Duration.ofNanos((long) (millis * TimeUnit.MILLISECONDS.toNanos(1)));
  }
}
