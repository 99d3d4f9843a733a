package io.ringfence.algorithms;

import java.math.BigInteger;
import java.util.List;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ArbitrarySupplier;
import net.jqwik.api.Combinators;

/**
 * One limit, an instant to start at, and what happens to its counter. Generated over the whole
 * accepted range: limits from 0 to 10^12, windows from 1 ms to 400 days, both spread evenly over
 * orders of magnitude; steps in time from nothing over single nanoseconds to several windows, and
 * backwards; costs from 1 to more than fits.
 */
record Scenario(Algorithm algorithm, long startNanos, List<Step> steps) {
  private static final long MONTH_NANOS = 30L * 24 * 3_600 * 1_000_000_000L;
  private static final long YEAR_2026_NANOS = 1_767_225_600_000_000_000L;

  /** Something done at an instant. */
  record Step(long nowNanos, long cost) {}

  /** A copy of the counter's state after the first steps, each a check. */
  CounterState stateAfter(int count) {
    CounterState state = algorithm.fresh(startNanos);
    steps.stream().limit(count).forEach(step -> algorithm.charge(state, step.cost, step.nowNanos));
    return state;
  }

  /** A state that every step has been done to. */
  CounterState state() {
    return stateAfter(steps.size());
  }

  /** The newest instant of the scenario. */
  long endNanos() {
    return LongStream.concat(LongStream.of(startNanos), steps.stream().mapToLong(Step::nowNanos))
        .max()
        .getAsLong();
  }

  /** Scenarios of all six kinds. */
  static final class Any implements ArbitrarySupplier<Scenario> {
    @Override
    public Arbitrary<Scenario> get() {
      return anyAlgorithm().flatMap(Any::on);
    }

    private static Arbitrary<Scenario> on(Algorithm algorithm) {
      long longAgo = -3 * algorithm.windowNanos() - 7;
      long someDay = algorithm.windowNanos() < MONTH_NANOS ? YEAR_2026_NANOS : 1;
      Arbitrary<Long> starts = Arbitraries.of(0L, longAgo, someDay);
      Arbitrary<List<long[]>> moves =
          Combinators.combine(sizes(algorithm.capacity()), jumps(algorithm))
              .as((cost, jump) -> new long[] {Math.min(Math.max(1, cost), Bounds.MAX_UNITS), jump})
              .list()
              .ofMinSize(1)
              .ofMaxSize(16);
      return Combinators.combine(starts, moves).as((start, list) -> script(algorithm, start, list));
    }

    private static Scenario script(Algorithm algorithm, long startNanos, List<long[]> moves) {
      long[] now = {startNanos};
      List<Step> steps =
          moves.stream()
              .map(
                  move -> {
                    now[0] += move[1];
                    return new Step(now[0], move[0]);
                  })
              .toList();
      return new Scenario(algorithm, startNanos, steps);
    }

    private static Arbitrary<Long> sizes(long capacity) {
      return Arbitraries.oneOf(
          Arbitraries.just(1L),
          Arbitraries.longs().between(1, 5),
          Arbitraries.longs().between(0, Math.max(1, capacity / 3)),
          Arbitraries.longs().between(Math.max(0, capacity - 2), capacity + 2));
    }

    private static Arbitrary<Long> jumps(Algorithm algorithm) {
      long window = algorithm.windowNanos();
      long unit = window / Math.max(1, algorithm.limit());
      return Arbitraries.oneOf(
          Arbitraries.just(0L),
          Arbitraries.longs().between(-2, 3),
          Arbitraries.longs().between(Math.max(0, unit - 1), unit + 1),
          Arbitraries.longs().between(0, window / 3),
          Arbitraries.longs().between(window - 1, window + 1),
          Arbitraries.longs().between(-window, 2 * window));
    }
  }

  /** Algorithms of all six kinds. */
  static Arbitrary<Algorithm> anyAlgorithm() {
    return Combinators.combine(
            Arbitraries.of(Kind.class),
            Arbitraries.oneOf(
                Arbitraries.longs().between(0, 12),
                magnitudes(0, Bounds.MAX_UNITS),
                Arbitraries.just(Bounds.MAX_UNITS)),
            Arbitraries.oneOf(
                magnitudes(Bounds.MIN_WINDOW_NANOS, Bounds.MAX_WINDOW_NANOS),
                Arbitraries.of(
                    Bounds.MIN_WINDOW_NANOS,
                    1_000_000_000L,
                    60_000_000_000L,
                    Bounds.MAX_WINDOW_NANOS)),
            magnitudes(1, Bounds.MAX_UNITS))
        .as(Scenario::algorithm);
  }

  private static Algorithm algorithm(Kind kind, long limit, long windowNanos, long burst) {
    boolean bursty =
        limit > 0
            && (kind == Kind.TOKEN_BUCKET || kind == Kind.GCRA || kind == Kind.LEAKING_BUCKET);
    long fitting = bursty ? Math.min(burst, refillable(limit, windowNanos)) : 0;
    return Algorithm.of(
        kind, limit, windowNanos, kind == Kind.LEAKING_BUCKET && bursty ? fitting - 1 : fitting);
  }

  /** The largest burst that refills within 40 years, which leaves room for time to pass. */
  private static long refillable(long limit, long windowNanos) {
    BigInteger years =
        BigInteger.valueOf(40L * 365 * 24 * 3_600).multiply(BigInteger.valueOf(1_000_000_000L));
    return years
        .multiply(BigInteger.valueOf(limit))
        .divide(BigInteger.valueOf(windowNanos))
        .min(BigInteger.valueOf(Bounds.MAX_UNITS))
        .longValueExact();
  }

  private static Arbitrary<Long> magnitudes(long low, long high) {
    int bits = 64 - Long.numberOfLeadingZeros(high);
    return Arbitraries.integers()
        .between(0, bits)
        .flatMap(
            size -> Arbitraries.longs().between(low, Math.max(low, Math.min(high, 1L << size))));
  }
}
