package io.ringfence.algorithms;

import static io.ringfence.algorithms.Counter.MINUTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How far the sliding counter's estimate is from the log, for arrivals without a pattern. In the
 * previous window p = L requests fall at random; f into the current one the estimate is p (1 - f),
 * and the log holds those that really were in the last 1 - f. The difference is binomial: no bias,
 * standard deviation sqrt(p f (1 - f)), which in mid-window and relative to the limit is 1 / (2
 * sqrt(L)).
 */
class CounterErrorTest {
  private static final long SEED = 20_260_101L;
  private static final int TRIALS = 20_000;

  @ParameterizedTest
  @CsvSource({
    "100, 0.50, 0.0500",
    "5, 0.50, 0.2236",
    "20, 0.50, 0.1118",
    "25, 0.50, 0.1000",
    "100, 0.25, 0.0433"
  })
  void B4_errorAgainstTheLog(int limit, double elapsed, double derived) {
    SplittableRandom random = new SplittableRandom(SEED);
    double sum = 0;
    double squares = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
      double error = errorOfOneDecision(limit, elapsed, random);
      sum += error;
      squares += error * error;
    }
    double bias = sum / TRIALS / limit;
    double deviation = Math.sqrt(squares / TRIALS - Math.pow(sum / TRIALS, 2)) / limit;
    System.out.printf(
        "limit %d, f %.2f: derived %.4f, measured %.4f, bias %+.4f (seed %d)%n",
        limit, elapsed, derived, deviation, bias, SEED);
    assertEquals(derived, Math.sqrt(limit * elapsed * (1 - elapsed)) / limit, 0.00005);
    assertEquals(derived, deviation, derived * 0.02);
    assertEquals(0, bias, derived * 0.03);
  }

  /** Both counters get the same requests; the limit is far above them so that none is denied. */
  private static double errorOfOneDecision(int requests, double elapsed, SplittableRandom random) {
    long ample = 1_000_000;
    SlidingWindowCounter counter = new SlidingWindowCounter(ample, MINUTE);
    SlidingWindowLog log = new SlidingWindowLog(ample, MINUTE);
    CounterState counted = counter.fresh(0);
    CounterState logged = log.fresh(0);
    long[] arrivals = random.longs(requests, 0, MINUTE).sorted().toArray();
    for (long arrival : arrivals) {
      assertTrue(counter.charge(counted, 1, arrival).allowed());
      assertTrue(log.charge(logged, 1, arrival).allowed());
    }
    long now = MINUTE + (long) (elapsed * MINUTE);
    long previous = Arrays.stream(counter.snapshot(counted, now)).skip(2).sum();
    assertEquals(requests, previous);
    long inTheLastWindow = ample - log.peek(logged, 1, now).remaining();
    return previous * (1 - elapsed) - inTheLastWindow;
  }
}
