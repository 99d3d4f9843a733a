package io.ringfence.algorithms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ParametersTest {
  private static final long SECOND = 1_000_000_000L;

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "TOKEN_BUCKET; -1; 1000000000; 1; limit -1 of token-bucket is outside 0..1000000000000",
        "GCRA; 1000000000001; 1000000000; 1; limit 1000000000001 of gcra is outside"
            + " 0..1000000000000",
        "FIXED_WINDOW; 1; 999999; 0; window 999999 of fixed-window is outside"
            + " 1000000..34560000000000000 ns (1 ms to 400 days)",
        "FIXED_WINDOW; 1; 34560000000000001; 0; window 34560000000000001 of fixed-window is outside"
            + " 1000000..34560000000000000 ns (1 ms to 400 days)",
        "FIXED_WINDOW; 1; -9223372036854775808; 0; window -9223372036854775808 of fixed-window is"
            + " outside 1000000..34560000000000000 ns (1 ms to 400 days)",
        "TOKEN_BUCKET; 1; 1000000000; 0; capacity 0 of token-bucket is outside 1..1000000000000",
        "TOKEN_BUCKET; 1; 1000000000; 1000000000001; capacity 1000000000001 of token-bucket is"
            + " outside 1..1000000000000",
        "GCRA; 1; 1000000000; 0; burst 0 of gcra is outside 1..1000000000000",
        "GCRA; 1; 1000000000; -5; burst -5 of gcra is outside 1..1000000000000",
        "LEAKING_BUCKET; 1; 1000000000; -1; queue -1 of leaking-bucket is outside 0..1000000000000",
        "LEAKING_BUCKET; 0; 1000000000; 5; queue 5 of leaking-bucket is outside 0..0, because a"
            + " limit of 0 denies always",
        "FIXED_WINDOW; 1; 1000000000; 1; burst 1 of fixed-window is outside 0..0, because this"
            + " algorithm has no burst",
        "SLIDING_WINDOW_LOG; 0; 1000000000; 1; burst 1 of sliding-window-log is outside 0..0,"
            + " because a limit of 0 denies always"
      })
  void whatIsRefusedIsNamedWithItsRange(
      Kind kind, long limit, long window, long burst, String message) {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class, () -> Algorithm.of(kind, limit, window, burst));
    assertEquals(message, refused.getMessage());
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE, Bounds.MAX_UNITS + 1, Long.MAX_VALUE})
  void costsOutsideTheirRangeAreRefusedAndChargeNothing(long cost) {
    for (Kind kind : Kind.values()) {
      Algorithm algorithm = Algorithm.of(kind, 10, SECOND, kind.defaultBurst(10));
      CounterState state = algorithm.fresh(0);
      long before = algorithm.charge(state, 1, 0).remaining();
      String expected = "cost " + cost + " is outside 1..1000000000000";
      assertEquals(expected, refusal(() -> algorithm.charge(state, cost, 0)));
      assertEquals(expected, refusal(() -> algorithm.peek(state, cost, 0)));
      assertEquals(expected, refusal(() -> algorithm.credit(state, cost, 0)));
      assertEquals(expected, refusal(() -> algorithm.undo(state, cost, 0, Long.MAX_VALUE, 0)));
      assertEquals(expected, refusal(() -> algorithm.debit(state, cost, 0)));
      assertEquals(before, algorithm.peek(state, 1, 0).remaining());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, Long.MAX_VALUE, 1L << 62, -(1L << 62)})
  void timesBeyondTheTimelineAreRefused(long now) {
    for (Kind kind : Kind.values()) {
      Algorithm algorithm = Algorithm.of(kind, 10, SECOND, kind.defaultBurst(10));
      CounterState state = algorithm.fresh(0);
      assertTrue(refusal(() -> algorithm.fresh(now)).startsWith("time " + now));
      assertTrue(refusal(() -> algorithm.charge(state, 1, now)).startsWith("time " + now));
      assertTrue(refusal(() -> algorithm.forgetsAtNanos(now)).startsWith("time " + now));
      assertTrue(
          refusal(() -> algorithm.restore(algorithm.snapshot(state, 0), now))
              .startsWith("time " + now));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {Bounds.MAX_SPAN_NANOS, -Bounds.MAX_SPAN_NANOS})
  void theEdgesOfTheTimelineWork(long now) {
    for (Kind kind : Kind.values()) {
      Algorithm algorithm = Algorithm.of(kind, 1, Bounds.MAX_WINDOW_NANOS, kind.defaultBurst(1));
      CounterState state = algorithm.fresh(now);
      assertTrue(algorithm.charge(state, 1, now).allowed());
      algorithm.debit(state, Bounds.MAX_UNITS, now);
      Decision denied = algorithm.charge(state, 1, now);
      assertTrue(denied.retryAfterNanos() > 0 && denied.resetAtNanos() > now);
      assertTrue(algorithm.freshAtNanos(state) > now);
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void C05_aLimitOfZeroSaysNeverWhateverHappens(Kind kind) {
    Algorithm algorithm = Algorithm.of(kind, 0, SECOND, 0);
    CounterState state = algorithm.fresh(0);
    for (long now : new long[] {0, 61 * SECOND, 1_000_000 * SECOND}) {
      Decision answer = algorithm.charge(state, 1, now);
      assertTrue(answer.never());
      assertEquals(0, answer.limit());
      assertEquals(0, answer.remaining());
      assertEquals(0, answer.delayNanos());
    }
    assertEquals(algorithm, algorithm.scaled(1, 3));
    CounterState lifted =
        Algorithm.of(kind, 5, SECOND, kind.defaultBurst(5)).adopt(algorithm, state, 0);
    assertTrue(
        Algorithm.of(kind, 5, SECOND, kind.defaultBurst(5))
            .charge(lifted, 1, 2_000_000 * SECOND)
            .allowed());
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void equalParametersMakeEqualAlgorithms(Kind kind) {
    Algorithm one = Algorithm.of(kind, 5, SECOND, kind.defaultBurst(5));
    assertEquals(one, Algorithm.of(kind, 5, SECOND, kind.defaultBurst(5)));
    assertEquals(one.hashCode(), Algorithm.of(kind, 5, SECOND, kind.defaultBurst(5)).hashCode());
    assertNotEquals(one, Algorithm.of(kind, 6, SECOND, kind.defaultBurst(5)));
    assertTrue(
        one.toString().startsWith(kind.configName() + "(limit=5, window=1000000000ns, burst="));
  }

  @ParameterizedTest
  @CsvSource({"-1, 3", "4, 3", "1, 0", "1, -1"})
  void sharesOutsideTheirRangeAreRefused(long numerator, long denominator) {
    assertThrows(
        IllegalArgumentException.class,
        () -> new FixedWindow(10, SECOND).scaled(numerator, denominator));
  }

  /** A fifth of a third of 100 a minute, burst 20. */
  @Test
  void rateAndBurstAreScaledAlike() {
    TokenBucket bucket = new TokenBucket(100, 60 * SECOND, 20).scaled(1, 15);
    assertEquals(6, bucket.limit());
    assertEquals(1, bucket.capacity());
    LeakingBucket leaking = new LeakingBucket(100, 60 * SECOND, 29).scaled(1, 15);
    assertEquals(2, leaking.capacity());
    assertEquals(1, leaking.burst());
    assertEquals(1, new SlidingWindowLog(5, 60 * SECOND).scaled(0, 1).limit());
  }

  private static String refusal(Runnable call) {
    return assertThrows(IllegalArgumentException.class, call::run).getMessage() + "";
  }
}
