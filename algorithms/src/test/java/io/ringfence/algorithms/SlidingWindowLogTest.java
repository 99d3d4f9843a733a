package io.ringfence.algorithms;

import static io.ringfence.algorithms.Counter.MINUTE;
import static io.ringfence.algorithms.Counter.SECOND;
import static io.ringfence.algorithms.Counter.at;
import static io.ringfence.algorithms.Counter.nanos;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SlidingWindowLogTest {
  @Property
  void B4_noSpanOfOneWindowEverHoldsMoreThanTheLimit(
      @ForAll @Size(max = 200) List<@IntRange(max = 400) Integer> gaps) {
    SlidingWindowLog algorithm = new SlidingWindowLog(7, 1_000_000);
    CounterState state = algorithm.fresh(0);
    List<Long> admitted = new ArrayList<>();
    long now = 0;
    for (int gap : gaps) {
      now += gap * 1_000L;
      if (algorithm.charge(state, 1, now).allowed()) {
        admitted.add(now);
      }
    }
    for (int first = 0; first + 7 < admitted.size(); first++) {
      assertTrue(admitted.get(first + 7) - admitted.get(first) >= 1_000_000);
    }
  }

  @Test
  void aHitCountsUntilExactlyOneWindowLater() {
    Counter log = new Counter(new SlidingWindowLog(1, MINUTE), "3");
    assertTrue(log.check("3").allowed());
    Decision denied = log.check("4");
    assertEquals(59 * SECOND, denied.retryAfterNanos());
    assertEquals(at("63"), denied.resetAtNanos());
    assertFalse(log.check("62.999999999").allowed());
    assertTrue(log.check("63").allowed());
  }

  @Test
  void S1_fivePasswordResetsAnHourMeansFive() {
    Counter log = new Counter(new SlidingWindowLog(5, 60 * MINUTE), "3599.7");
    assertEquals(5, log.admitted("3599.7", 9));
    assertEquals(0, log.admitted("3600.1", 9));
    assertEquals(nanos("3599.6"), log.check("3600.1").retryAfterNanos());
  }

  /** 50,000 denied checks a second for a minute would be 210 MB if they were stored. */
  @Test
  void S1_deniedChecksAreNotStored() {
    Counter log = new Counter(new SlidingWindowLog(100, MINUTE), "0");
    assertEquals(100, log.admitted("0", 100));
    long bytes = log.payloadBytes();
    assertEquals(0, log.admittedInstants(at("0"), at("60"), nanos("0.00002")).size());
    assertEquals(bytes, log.payloadBytes());
  }

  @Test
  void memoryFollowsUseAndShrinksWhenIdle() {
    Counter log = new Counter(new SlidingWindowLog(1_000_000, MINUTE), "0");
    assertEquals(40, log.payloadBytes());
    log.admitted("0", 1);
    assertEquals(40 + 4 * 8, log.payloadBytes());
    log.admitted("0", 1_023);
    assertEquals(40 + 1_024 * 8, log.payloadBytes());
    log.admitted("59", 100);
    assertEquals(40 + 2_048 * 8, log.payloadBytes());
    log.peek("60", 1);
    assertTrue(log.payloadBytes() <= 40 + 1_024 * 8);
    log.peek("120", 1);
    assertEquals(40, log.payloadBytes());
  }

  /** A million allowed, one used, a thousand keys: what they hold is kilobytes. */
  @Test
  void C21a_memoryIsSetByUseNotByTheLimit() {
    SlidingWindowLog algorithm = new SlidingWindowLog(1_000_000, MINUTE);
    long bytes = 0;
    List<CounterState> keys = new ArrayList<>();
    for (int key = 0; key < 1_000; key++) {
      CounterState state = algorithm.fresh(0);
      assertEquals(999_999, algorithm.charge(state, 1, 0).remaining());
      keys.add(state);
      bytes += state.payloadBytes();
    }
    assertEquals(1_000, keys.size());
    assertEquals(72_000, bytes);
  }

  @Test
  void aWeightOfKCountsAsKAndTheWaitIsForEnoughOfThem() {
    Counter log = new Counter(new SlidingWindowLog(10, MINUTE), "0");
    log.check("0", 2);
    log.check("1", 5);
    log.check("2", 3);
    assertEquals(58 * SECOND, log.check("2", 1).retryAfterNanos());
    assertEquals(58 * SECOND, log.check("2", 2).retryAfterNanos());
    assertEquals(59 * SECOND, log.check("2", 3).retryAfterNanos());
    assertEquals(59 * SECOND, log.check("2", 7).retryAfterNanos());
    assertEquals(60 * SECOND, log.check("2", 8).retryAfterNanos());
    assertTrue(log.check("2", 11).never());
  }

  @Test
  void aRefundTakesTheOldestSoThatNothingSlipsOutEarly() {
    SlidingWindowLog algorithm = new SlidingWindowLog(10, MINUTE);
    CounterState log = algorithm.fresh(0);
    algorithm.charge(log, 2, 0);
    algorithm.charge(log, 5, SECOND);
    algorithm.credit(log, 3, 2 * SECOND);
    assertArrayEquals(new long[] {SECOND, 4}, algorithm.snapshot(log, 2 * SECOND));
    algorithm.credit(log, 9, 2 * SECOND);
    assertTrue(algorithm.isFresh(log, 2 * SECOND));
  }

  /**
   * One: 1 since age 5, 2 since 20, 4 since 30. Two: 3 since 20, 5 since 30. The larger of each: 1,
   * 3, 5.
   */
  @Test
  void aMergeCountsSharedHistoryOnce() {
    SlidingWindowLog algorithm = new SlidingWindowLog(10, MINUTE);
    CounterState one = algorithm.restore(new long[] {30, 2, 20, 1, 5, 1}, 100);
    CounterState two = algorithm.restore(new long[] {30, 2, 20, 3}, 100);
    algorithm.merge(one, two, 100);
    assertArrayEquals(new long[] {30, 2, 20, 2, 5, 1}, algorithm.snapshot(one, 100));
  }

  @Test
  void aShorterWindowKeepsWhatStillCountsInIt() {
    Counter minute = new Counter(new SlidingWindowLog(10, MINUTE), "0");
    minute.check("0", 4);
    minute.check("50", 3);
    Counter tenSeconds = minute.reloaded(new SlidingWindowLog(10, 10 * SECOND), "55");
    assertEquals(7, tenSeconds.peek("55", 1).remaining());
    assertEquals(10, tenSeconds.peek("60", 1).remaining());
  }

  @Test
  void beyondAMillionEntriesChargesOfOneTickShareAnEntryAndNothingIsForgotten() {
    int admitted = 5_000_000;
    SlidingWindowLog algorithm = new SlidingWindowLog(admitted, MINUTE);
    CounterState log = algorithm.fresh(0);
    for (int hit = 0; hit < admitted; hit++) {
      assertTrue(algorithm.charge(log, 1, hit * 10_000L).allowed());
    }
    assertTrue(algorithm.folded(log) > 0);
    assertTrue(log.payloadBytes() <= 40 + 2 * 8 * (1L << 22), () -> log.payloadBytes() + " bytes");
    Decision denied = algorithm.charge(log, 1, 50 * SECOND);
    assertEquals(0, denied.remaining());
    assertEquals(10 * SECOND, denied.retryAfterNanos());
    assertTrue(algorithm.isFresh(log, 50 * SECOND + MINUTE));
  }
}
