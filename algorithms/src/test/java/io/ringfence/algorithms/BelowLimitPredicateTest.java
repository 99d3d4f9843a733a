package io.ringfence.algorithms;

import static io.ringfence.algorithms.Counter.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Published figures of a sliding counter that admits while its estimate is below the limit, where
 * ours admits while estimate + cost is within it. The other predicate lives only here. All of the
 * figures come out exactly when the arithmetic is exact; in floating point the count of
 * disagreements moves by a few with the instant at which one starts.
 */
class BelowLimitPredicateTest {
  private static final int OFFERED = 2_400; // 80 a second for 30 s
  private static final long EVERY_NANOS = SECOND / 80;

  /** Admits while previous x (1 - f) + current < limit, in whole numbers. */
  private static final class BelowLimit implements LongPredicate {
    private final long limit;
    private final long windowNanos;
    private final Map<Long, Long> counts = new HashMap<>();

    BelowLimit(long limit, long windowNanos) {
      this.limit = limit;
      this.windowNanos = windowNanos;
    }

    @Override
    public boolean test(long nowNanos) {
      long index = nowNanos / windowNanos;
      long leftNanos = windowNanos - nowNanos % windowNanos;
      long estimateTimesWindow =
          counts.getOrDefault(index - 1, 0L) * leftNanos
              + counts.getOrDefault(index, 0L) * windowNanos;
      boolean admitted = estimateTimesWindow < limit * windowNanos;
      if (admitted) {
        counts.merge(index, 1L, Long::sum);
      }
      return admitted;
    }
  }

  private static LongPredicate ours(Algorithm algorithm) {
    CounterState state = algorithm.fresh(0);
    return nowNanos -> algorithm.charge(state, 1, nowNanos).allowed();
  }

  @Test
  void S2_atTheEdge200Against101() {
    assertEquals(200, acrossTheEdge(ours(new FixedWindow(100, 2 * SECOND))));
    assertEquals(101, acrossTheEdge(new BelowLimit(100, 2 * SECOND)));
    assertEquals(100, acrossTheEdge(ours(new SlidingWindowCounter(100, 2 * SECOND))));
    assertEquals(100, acrossTheEdge(ours(new SlidingWindowLog(100, 2 * SECOND))));
  }

  private static long acrossTheEdge(LongPredicate limiter) {
    return admitted(limiter, 1_990_000_000L) + admitted(limiter, 2_010_000_000L);
  }

  private static long admitted(LongPredicate limiter, long nowNanos) {
    return IntStream.range(0, 100).filter(check -> limiter.test(nowNanos)).count();
  }

  @Test
  void S2_whatIsAdmittedIn100Milliseconds() {
    List<Boolean> fixed = decisions(ours(new FixedWindow(50, SECOND)));
    List<Boolean> below = decisions(new BelowLimit(50, SECOND));
    for (int second = 1; second < 30; second++) {
      assertEquals(List.of(8, 8, 8, 8, 8, 8, 2, 0, 0, 0), perTenth(fixed, second));
      assertEquals(List.of(5, 5, 5, 5, 5, 5, 5, 5, 5, 5), perTenth(below, second));
    }
  }

  @Test
  void S2_disagreementsWithTheLog() {
    List<Boolean> log = decisions(ours(new SlidingWindowLog(50, SECOND)));
    List<Boolean> below = decisions(new BelowLimit(50, SECOND));
    assertEquals(1_102, disagreements(log, below));
    assertEquals(1_500, admittedOf(log));
    assertEquals(1_500, admittedOf(below));
    assertEquals(1_500, admittedOf(decisions(ours(new FixedWindow(50, SECOND)))));
  }

  /**
   * The same traffic through ours: 29 fewer, one a second, because an estimate of 49.5 leaves no
   * room for a whole one.
   */
  @Test
  void theSameTrafficUnderEstimatePlusCost() {
    List<Boolean> log = decisions(ours(new SlidingWindowLog(50, SECOND)));
    List<Boolean> counter = decisions(ours(new SlidingWindowCounter(50, SECOND)));
    assertEquals(1_075, disagreements(log, counter));
    assertEquals(1_471, admittedOf(counter));
  }

  @Test
  void S2_underAUniformStreamBothPeakAtTheLimit() {
    assertEquals(100, peak(decisions(ours(new FixedWindow(100, 2 * SECOND)))));
    assertEquals(100, peak(decisions(new BelowLimit(100, 2 * SECOND))));
  }

  /** The most admitted in any half-open span of 2 s. */
  private static long peak(List<Boolean> decisions) {
    int span = (int) (2 * SECOND / EVERY_NANOS);
    return IntStream.rangeClosed(0, OFFERED - span)
        .mapToLong(first -> admittedOf(decisions.subList(first, first + span)))
        .max()
        .orElseThrow();
  }

  private static List<Boolean> decisions(LongPredicate limiter) {
    List<Boolean> decisions = new ArrayList<>();
    for (int check = 0; check < OFFERED; check++) {
      decisions.add(limiter.test(check * EVERY_NANOS));
    }
    return decisions;
  }

  private static List<Integer> perTenth(List<Boolean> decisions, int second) {
    return IntStream.range(0, 10)
        .mapToObj(tenth -> decisions.subList(80 * second + 8 * tenth, 80 * second + 8 * tenth + 8))
        .map(slice -> (int) admittedOf(slice))
        .toList();
  }

  private static long admittedOf(List<Boolean> decisions) {
    return decisions.stream().filter(admitted -> admitted).count();
  }

  private static long disagreements(List<Boolean> one, List<Boolean> other) {
    return IntStream.range(0, OFFERED)
        .filter(check -> !one.get(check).equals(other.get(check)))
        .count();
  }
}
