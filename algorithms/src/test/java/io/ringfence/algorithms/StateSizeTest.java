package io.ringfence.algorithms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a counter's state costs on the heap: the bytes that the JVM says this thread allocated for
 * ten thousand of them. The bounds hold for a 64-bit JVM with compressed references, and for
 * smaller object headers too.
 */
class StateSizeTest {
  private static final int COUNTERS = 10_000;

  @ParameterizedTest
  @CsvSource({
    "TOKEN_BUCKET, 24, 40",
    "LEAKING_BUCKET, 24, 40",
    "GCRA, 24, 40",
    "FIXED_WINDOW, 16, 32",
    "SLIDING_WINDOW_COUNTER, 24, 40",
    "SLIDING_WINDOW_LOG, 40, 64"
  })
  void B6_bytesOfAnIdleState(Kind kind, long payload, long atMost) {
    Algorithm algorithm = Algorithm.of(kind, 100, 60_000_000_000L, kind.defaultBurst(100));
    assertEquals(payload, algorithm.fresh(0).payloadBytes());
    long bytes = perCounter(algorithm, 0);
    System.out.println(kind.configName() + ": " + bytes + " bytes a counter");
    assertTrue(bytes <= atMost, () -> bytes + " bytes");
  }

  /** A thousand keys, one check each, under a million a minute: under 20 MB. It is under 200 kB. */
  @Test
  void C21a_aThousandKeysOfALogWithALargeLimit() {
    long bytes = perCounter(new SlidingWindowLog(1_000_000, 60_000_000_000L), 1);
    System.out.println("sliding-window-log after one check: " + bytes + " bytes a counter");
    assertTrue(bytes * 1_000 < 200_000, () -> bytes + " bytes a key");
  }

  /**
   * Answers are allocated too and are not part of the state, so they are measured apart and taken
   * off.
   */
  private static long perCounter(Algorithm algorithm, int checks) {
    CounterState[] kept = new CounterState[COUNTERS];
    Decision[] answers = new Decision[COUNTERS];
    fill(algorithm, checks, kept, answers);
    long before = allocated();
    fill(algorithm, checks, kept, answers);
    long all = allocated() - before;
    long answerBytes = 0;
    if (checks > 0) {
      long beforeAnswers = allocated();
      for (int counter = 0; counter < COUNTERS; counter++) {
        answers[counter] = algorithm.peek(kept[counter], 1, 0);
      }
      answerBytes = allocated() - beforeAnswers;
    }
    return Math.round((double) (all - answerBytes) / COUNTERS);
  }

  private static void fill(
      Algorithm algorithm, int checks, CounterState[] kept, Decision[] answers) {
    for (int counter = 0; counter < COUNTERS; counter++) {
      kept[counter] = algorithm.fresh(0);
      if (checks > 0) {
        answers[counter] = algorithm.charge(kept[counter], 1, 0);
      }
    }
  }

  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }
}
