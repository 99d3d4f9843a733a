package io.ringfence.algorithms;

import static io.ringfence.algorithms.Counter.MINUTE;
import static io.ringfence.algorithms.Counter.SECOND;
import static io.ringfence.algorithms.Counter.at;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlidingWindowCounterTest {
  /** 90 before, 40 now, a quarter of the minute gone: 107.5 of 100. Room for one after 5.67 s. */
  @Test
  void S1_theWorkedDecision() {
    Counter counter = new Counter(new SlidingWindowCounter(100, MINUTE), "-60");
    counter.debit("-60", 90);
    counter.debit("0", 40);
    Decision denied = counter.check("15");
    assertFalse(denied.allowed());
    assertEquals(5_666_666_667L, denied.retryAfterNanos());
    assertEquals(at("60"), denied.resetAtNanos());
    assertEquals(0, denied.remaining());
    assertFalse(counter.check("20.666666666").allowed());
    assertTrue(counter.check("20.666666667").allowed());
  }

  /**
   * The estimate of that decision, found from outside: 107.5 leaves 2 of a limit of 110, and 107.5
   * + 2.5 is no whole cost.
   */
  @Test
  void S1_theEstimateIs107AndAHalf() {
    Counter counter = new Counter(new SlidingWindowCounter(110, MINUTE), "-60");
    counter.debit("-60", 90);
    counter.debit("0", 40);
    assertEquals(2, counter.peek("15", 1).remaining());
    Counter doubled = new Counter(new SlidingWindowCounter(220, MINUTE), "-60");
    doubled.debit("-60", 180);
    doubled.debit("0", 80);
    assertEquals(220 - 215, doubled.peek("15", 1).remaining()); // twice 107.5
  }

  /** 18 before, 5 now, three quarters still overlapping: 18.5. */
  @Test
  void S5_theWorkedEstimate() {
    Counter counter = new Counter(new SlidingWindowCounter(20, MINUTE), "-60");
    counter.debit("-60", 18);
    counter.debit("0", 5);
    Decision answer = counter.peek("15", 2);
    assertEquals(1, answer.remaining());
    assertFalse(answer.allowed());
    assertTrue(counter.check("15").allowed()); // 18.5 + 1 <= 20
    Counter doubled = new Counter(new SlidingWindowCounter(40, MINUTE), "-60");
    doubled.debit("-60", 36);
    doubled.debit("0", 10);
    assertEquals(40 - 37, doubled.peek("15", 1).remaining()); // twice 18.5
  }

  /**
   * All of the previous window at its very end: p f more than the limit is then in the last window.
   */
  @ParameterizedTest
  @CsvSource({"15, 125", "30, 150", "45, 175", "59.4, 199"})
  void B4_atMostPTimesFTooMany(String second, int inTheLastWindow) {
    Counter counter = new Counter(new SlidingWindowCounter(100, MINUTE), "-1");
    assertEquals(100, counter.admitted("-0.000000001", 200));
    assertEquals(inTheLastWindow, 100 + counter.admitted(second, 200));
  }

  /** All of the previous window at its very beginning: p (1 - f) fewer than a log would admit. */
  @ParameterizedTest
  @CsvSource({"0.6, 1", "15, 25", "30, 50", "45, 75"})
  void B4_atMostPTimesOneMinusFTooFew(String second, int admitted) {
    Counter counter = new Counter(new SlidingWindowCounter(100, MINUTE), "-60");
    Counter log = new Counter(new SlidingWindowLog(100, MINUTE), "-60");
    assertEquals(100, counter.admitted("-60", 200));
    assertEquals(100, log.admitted("-60", 200));
    assertEquals(admitted, counter.admitted(second, 200));
    assertEquals(100, log.admitted(second, 200));
  }

  @Test
  void aWaitMayReachIntoTheNextWindow() {
    Counter counter = new Counter(new SlidingWindowCounter(10, MINUTE), "0");
    assertEquals(10, counter.admitted("30", 20));
    Decision one = counter.check("30");
    assertEquals(36 * SECOND, one.retryAfterNanos()); // 9 of 10 overlap 6 s into the next window
    Decision all = counter.check("30", 10);
    assertEquals(90 * SECOND, all.retryAfterNanos());
  }

  @Test
  void aGapOfTwoWindowsLeavesNothing() {
    Counter counter = new Counter(new SlidingWindowCounter(10, MINUTE), "0");
    counter.admitted("59", 10);
    assertEquals(1, counter.peek("60.000000001", 1).limit() - counter.peek("119.9", 1).remaining());
    assertEquals(10, counter.peek("120", 1).remaining());
    assertEquals(
        at("120"), new Counter(new SlidingWindowCounter(10, MINUTE), "120").freshAtNanos());
  }

  @Test
  void C06_aStepBackAcrossAnEdgeDoesNotGiveAFreshBudget() {
    Counter counter = new Counter(new SlidingWindowCounter(10, MINUTE), "60");
    assertEquals(10, counter.admitted("60", 20));
    assertEquals(0, counter.admitted("59.6", 20));
    assertEquals(0, counter.admitted("60", 20));
  }

  @Test
  void C34_aRefundGivesBackOnlyWhatTheCurrentWindowHolds() {
    Counter counter = new Counter(new SlidingWindowCounter(10, MINUTE), "0");
    counter.check("0", 10);
    counter.refund("60", 3);
    assertEquals(0, counter.peek("60", 1).remaining());
    counter.check("66", 1);
    counter.refund("66", 50);
    assertEquals(1, counter.peek("66", 1).remaining());
  }

  @Test
  void anotherWindowLengthKeepsTheEstimate() {
    Counter minute = new Counter(new SlidingWindowCounter(100, MINUTE), "-60");
    minute.debit("-60", 90);
    minute.debit("0", 10);
    Counter hour = minute.reloaded(new SlidingWindowCounter(100, 60 * MINUTE), "15");
    assertEquals(100 - 78, hour.peek("15", 1).remaining()); // 77.5 rounded up
  }

  @Test
  void aMergeTakesTheLargerCountOfEachWindow() {
    SlidingWindowCounter algorithm = new SlidingWindowCounter(100, MINUTE);
    CounterState behind = algorithm.restore(new long[] {at("59"), 40, 7}, at("59"));
    CounterState ahead = algorithm.restore(new long[] {at("60"), 2, 30}, at("60"));
    algorithm.merge(ahead, behind, at("61"));
    assertArrayEquals(new long[] {at("61"), 2, 40}, algorithm.snapshot(ahead, at("61")));
  }

  @Test
  void theLargestParametersAreExact() {
    long most = Bounds.MAX_UNITS;
    long window = Bounds.MAX_WINDOW_NANOS;
    SlidingWindowCounter algorithm = new SlidingWindowCounter(most, window);
    CounterState state = algorithm.fresh(0);
    assertTrue(algorithm.charge(state, most, window - 1).allowed());
    Decision early = algorithm.charge(state, 1, window + 34_559); // one unit every 34,560 ns
    assertEquals(0, early.remaining());
    assertEquals(1, early.retryAfterNanos());
    assertEquals(1, algorithm.peek(state, 1, window + 34_560).remaining());
  }
}
