package io.ringfence.chaos;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.chaos.FloodScenario.Memory;
import io.ringfence.chaos.FloodScenario.Outcome;
import io.ringfence.chaos.FloodScenario.Size;
import io.ringfence.chaos.cluster.Cluster;
import io.ringfence.chaos.cluster.ClusterFiles;
import io.ringfence.chaos.cluster.Launcher;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Twelve times as many keys as a table holds, each used once. */
@Tag("processes")
class FloodTest {
  private static final Size SIZE = new Size(60_000, 5_000, Duration.ofSeconds(15));
  private static final long HEAP_SLACK_BYTES = 8L << 20;

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void aFloodOfKeysFreesNoDeniedKeyAndFillsNothingBeyondItsBound(int count) {
    List<String> names = Trio.NAMES.subList(0, count);
    ClusterFiles files = Trio.files("flood", FloodScenario.config(SIZE), FloodScenario.rules(SIZE));
    try (Cluster cluster = new Cluster(Launcher.packaged(), files, names).startInTurn()) {
      cluster.awaitWholeView();
      Outcome outcome = new FloodScenario(cluster, names, SIZE).run();
      Trio.measured("flood of " + count, outcome.ledger().summary());
      Trio.measured("tables", outcome.tables());
      Trio.measured("memory", outcome.memory());
      Memory memory = outcome.memory();
      assertAll(
          () -> assertEquals(List.of(), outcome.problems()),
          () -> assertEquals(SIZE.oneShots(), outcome.ledger().answered()),
          () -> assertTrue(outcome.tables().turnedAway() > 0),
          () -> assertFlat(memory.halfway().liveBytes(), memory.flooded().liveBytes()),
          () -> assertFlat(memory.flooded().liveBytes(), memory.after().liveBytes()));
    }
  }

  private static void assertFlat(long earlierBytes, long laterBytes) {
    assertTrue(
        laterBytes <= earlierBytes + HEAP_SLACK_BYTES,
        () -> laterBytes + " bytes live, " + earlierBytes + " before");
  }
}
