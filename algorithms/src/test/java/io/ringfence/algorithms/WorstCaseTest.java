package io.ringfence.algorithms;

import static io.ringfence.algorithms.Counter.MINUTE;
import static io.ringfence.algorithms.Counter.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * What each algorithm lets through in the worst case, at 100 a minute: derived on paper, and
 * measured by trying. The attack offers 400 checks at every instant of a schedule: an idle counter
 * is hit at once, then every 10 ms for three minutes. It is repeated with the first hit at every
 * tenth of a window, just before an edge, and just after one, and the most admitted in any span of
 * one minute (both ends included) and in any 10 ms is kept.
 *
 * <p>Each line is printed, and must stand in docs/algorithms.md as printed.
 */
class WorstCaseTest {
  private static final long STEP_NANOS = 10_000_000L;
  private static final int OFFERED = 400;
  private static final Path DOCUMENT = Path.of("..", "docs", "algorithms.md");

  @Test
  void B4_tokenBucketCapacityPlusRateTimesTime() throws IOException {
    measure(new TokenBucket(100, MINUTE, 100), "C + rT = 200", 200, "C = 100", 100);
  }

  @Test
  void B4_leakingBucketQueuePlusRateTimesTime() throws IOException {
    measure(new LeakingBucket(100, MINUTE, 50), "1 + q + rT = 151", 151, "1 + q = 51, delayed", 51);
  }

  @Test
  void B4_gcraSpacing() throws IOException {
    measure(new Gcra(100, MINUTE, 1), "B + rT = 101", 101, "B = 1", 1);
  }

  @Test
  void B4_fixedWindowTwiceTheLimit() throws IOException {
    measure(new FixedWindow(100, MINUTE), "2L = 200", 200, "2L = 200", 200);
  }

  /**
   * A span that includes both its ends is one instant longer than a window; without one of them it
   * holds L.
   */
  @Test
  void B4_slidingLogNeverAboveTheLimit() throws IOException {
    List<Long> admitted = attack(new SlidingWindowLog(100, MINUTE), 0);
    assertEquals(100, mostWithin(admitted, MINUTE - 1));
    measure(new SlidingWindowLog(100, MINUTE), "L = 100 (half-open span)", 100, "L = 100", 100);
  }

  @Test
  void B4_slidingCounterAlmostTwiceTheLimitButPaced() throws IOException {
    measure(new SlidingWindowCounter(100, MINUTE), "below 2L = 200", 199, "L = 100", 100);
  }

  private static void measure(
      Algorithm algorithm, String derived, int inAMinute, String derivedAtOnce, int atOnce)
      throws IOException {
    long span = algorithm.kind() == Kind.SLIDING_WINDOW_LOG ? MINUTE - 1 : MINUTE;
    int mostInAMinute = 0;
    int mostAtOnce = 0;
    for (long first : firstHits()) {
      List<Long> admitted = attack(algorithm, first);
      mostInAMinute = Math.max(mostInAMinute, mostWithin(admitted, span));
      mostAtOnce = Math.max(mostAtOnce, mostWithin(admitted, STEP_NANOS));
    }
    String row =
        "| %s | %s | %d | %s | %d |"
            .formatted(
                algorithm.kind().configName(), derived, mostInAMinute, derivedAtOnce, mostAtOnce);
    System.out.println(row);
    assertEquals(inAMinute, mostInAMinute);
    assertEquals(atOnce, mostAtOnce);
    assertTrue(Files.readString(DOCUMENT).contains(row), () -> DOCUMENT + " does not say: " + row);
  }

  private static Set<Long> firstHits() {
    Set<Long> hits = new TreeSet<>();
    for (int tenth = 0; tenth < 10; tenth++) {
      hits.add(tenth * MINUTE / 10);
    }
    hits.add(MINUTE - 1);
    hits.add(MINUTE - STEP_NANOS / 2);
    hits.add(MINUTE - SECOND);
    return hits;
  }

  private static List<Long> attack(Algorithm algorithm, long firstNanos) {
    CounterState state = algorithm.fresh(firstNanos);
    List<Long> admitted = new ArrayList<>();
    for (long now = firstNanos; now < firstNanos + 3 * MINUTE; now += STEP_NANOS) {
      for (int offered = 0;
          offered < OFFERED && algorithm.charge(state, 1, now).allowed();
          offered++) {
        admitted.add(now);
      }
    }
    return admitted;
  }

  /** The most instants in any [t, t + span]. */
  private static int mostWithin(List<Long> instants, long spanNanos) {
    int most = 0;
    int first = 0;
    for (int last = 0; last < instants.size(); last++) {
      while (instants.get(last) - instants.get(first) > spanNanos) {
        first++;
      }
      most = Math.max(most, last - first + 1);
    }
    return most;
  }
}
