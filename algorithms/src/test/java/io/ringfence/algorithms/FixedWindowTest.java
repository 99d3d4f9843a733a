package io.ringfence.algorithms;

import static io.ringfence.algorithms.Counter.MINUTE;
import static io.ringfence.algorithms.Counter.SECOND;
import static io.ringfence.algorithms.Counter.at;
import static io.ringfence.algorithms.Counter.nanos;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FixedWindowTest {
  /**
   * 10 in 400 ms under 5 a minute: 25 a second against a twelfth, 300 times the rate; and in 4 ms
   * 30,000 times.
   */
  @Test
  void S1_twiceTheLimitPassesAcrossAnEdge() {
    Counter slow = new Counter(new FixedWindow(5, MINUTE), "59.7");
    assertEquals(5, slow.admitted("59.7", 9));
    assertEquals(5, slow.admitted("60.1", 9));
    assertEquals(300, timesTheNominalRate(10, nanos("0.4")));

    Counter fast = new Counter(new FixedWindow(5, MINUTE), "59.998");
    assertEquals(10, fast.admitted("59.998", 9) + fast.admitted("60.002", 9));
    assertEquals(30_000, timesTheNominalRate(10, nanos("0.004")));
  }

  private static long timesTheNominalRate(long admitted, long spanNanos) {
    return admitted * MINUTE / (5 * spanNanos);
  }

  @Test
  void S4_200PassInAboutASecond() {
    Counter counter = new Counter(new FixedWindow(100, MINUTE), "59");
    assertEquals(200, counter.admitted("59", 150) + counter.admitted("60", 150));
  }

  @Test
  void S5_40PassInTwoSecondsUnder20AMinute() {
    Counter counter = new Counter(new FixedWindow(20, MINUTE), "59");
    assertEquals(19, counter.admitted("59", 19));
    assertEquals(0, counter.check("59").remaining()); // 20 of 20
    assertEquals(20, counter.admitted("60", 30));
  }

  /** 99 used, then one every 59 s: the window closes all the same. */
  @Test
  void S1_theWindowClosesHoweverSteadyTheTraffic() {
    Counter counter = new Counter(new FixedWindow(100, MINUTE), "0");
    assertEquals(99, counter.admitted("0", 99));
    for (int second = 59; second < 3_600; second += 59) {
      assertTrue(counter.checkAt(at("0") + second * SECOND, 1).allowed());
    }
  }

  @Test
  void C05_aLimitOfZeroDeniesAlways() {
    Counter counter = new Counter(new FixedWindow(0, MINUTE), "0");
    for (String second : List.of("0", "61", "3600")) {
      Decision answer = counter.check(second);
      assertFalse(answer.allowed());
      assertEquals(0, answer.remaining());
      assertTrue(answer.never());
    }
  }

  @Test
  void C12_raisingALimitOnALiveKey() {
    Counter five = new Counter(new FixedWindow(5, MINUTE), "0");
    IntStream.rangeClosed(0, 4).forEach(second -> assertTrue(five.check("" + second).allowed()));
    assertEquals(50 * SECOND, five.check("10").retryAfterNanos());
    Counter ten = five.reloaded(new FixedWindow(10, MINUTE), "20");
    List<Long> remaining =
        Stream.of("21", "22", "23", "24", "25")
            .map(second -> ten.check(second).remaining())
            .toList();
    assertEquals(List.of(4L, 3L, 2L, 1L, 0L), remaining);
    assertEquals(34 * SECOND, ten.check("26").retryAfterNanos());
  }

  @Test
  void anotherWindowLengthKeepsWhatTheCurrentOneHolds() {
    Counter hourly = new Counter(new FixedWindow(10, 60 * MINUTE), "0");
    assertEquals(7, hourly.check("10", 3).remaining());
    Counter minutely = hourly.reloaded(new FixedWindow(10, MINUTE), "1805");
    assertEquals(7, minutely.peek("1805", 1).remaining());
    assertEquals(10, minutely.peek("1860", 1).remaining());
  }

  @Test
  void C23_resetIsTheWindowsEndWheneverOneAsks() {
    Counter counter = new Counter(new FixedWindow(10, MINUTE), "17.25");
    Decision answer = counter.check("17.25");
    assertEquals(nanos("42.75"), answer.resetAtNanos() - at("17.25")); // a delta header says 43
    assertEquals(1_767_225_660L * SECOND, answer.resetAtNanos());
    assertEquals(answer.resetAtNanos(), counter.check("17.26").resetAtNanos());
  }

  @Test
  void C34_refunds() {
    Counter counter = new Counter(new FixedWindow(10, MINUTE), "1");
    assertEquals(0, counter.check("1", 10).remaining());
    assertEquals(58 * SECOND, counter.check("2").retryAfterNanos());
    counter.refund("3", 1);
    assertEquals(1, counter.peek("3", 1).remaining());
    assertEquals(0, counter.check("4").remaining());
    counter.refund("5", 50);
    assertEquals(10, counter.peek("5", 1).remaining());
    assertThrows(IllegalArgumentException.class, () -> counter.check("5", -5));
    assertEquals(10, counter.peek("5", 1).remaining());
    counter.refund("61", 3);
    assertEquals(10, counter.peek("61", 1).remaining());
  }

  @Test
  void C06_aStampOfAnEarlierWindowIsCountedInTheStatesOwn() {
    Counter counter = new Counter(new FixedWindow(2, MINUTE), "61");
    assertEquals(1, counter.check("61").remaining());
    assertEquals(0, counter.check("59").remaining());
    Decision denied = counter.check("58");
    assertFalse(denied.allowed());
    assertEquals(59 * SECOND, denied.retryAfterNanos()); // from 61, the newest time seen
    assertTrue(counter.check("120").allowed());
  }

  @Test
  void aCopyFromAnEarlierWindowAddsNothing() {
    FixedWindow algorithm = new FixedWindow(10, MINUTE);
    CounterState behind = algorithm.restore(new long[] {at("59"), 9}, at("59"));
    CounterState ahead = algorithm.restore(new long[] {at("60"), 2}, at("60"));
    algorithm.merge(ahead, behind, at("59"));
    assertArrayEquals(new long[] {at("60"), 2}, algorithm.snapshot(ahead, at("59")));
    algorithm.merge(behind, ahead, at("59"));
    assertArrayEquals(new long[] {at("60"), 2}, algorithm.snapshot(behind, at("59")));
  }

  @Test
  void windowsBeforeTheEpochAreAlignedToo() {
    FixedWindow algorithm = new FixedWindow(10, MINUTE);
    assertEquals(0, algorithm.peek(algorithm.fresh(-1), 1, -1).resetAtNanos());
    assertEquals(-MINUTE, algorithm.forgetsAtNanos(-MINUTE - 1));
    assertEquals(0, algorithm.forgetsAtNanos(-MINUTE));
  }
}
