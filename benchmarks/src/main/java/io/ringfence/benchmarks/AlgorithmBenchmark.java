package io.ringfence.benchmarks;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.algorithms.CounterState;
import io.ringfence.algorithms.Decision;
import io.ringfence.algorithms.Kind;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Decisions of one thread on one counter, without lock, table or clock. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class AlgorithmBenchmark {
  private static final long SECOND_NANOS = 1_000_000_000L;

  /** The algorithm, by its name in a rules file. */
  @Param({
    "token-bucket",
    "leaking-bucket",
    "gcra",
    "fixed-window",
    "sliding-window-log",
    "sliding-window-counter"
  })
  String kind = "";

  /** How far time goes from one check to the next: about all pass, or about all are denied. */
  @Param({"1000000", "1000"})
  long stepNanos;

  private Algorithm algorithm = Algorithm.of(Kind.FIXED_WINDOW, 1, SECOND_NANOS, 0);
  private CounterState state = algorithm.fresh(0);
  private long nowNanos;

  /** A limit of 1,000 a second. */
  @Setup
  public void setUp() {
    Kind chosen = Kind.ofConfigName(kind).orElseThrow();
    algorithm = Algorithm.of(chosen, 1_000, SECOND_NANOS, chosen.defaultBurst(1_000));
    nowNanos = 0;
    state = algorithm.fresh(nowNanos);
  }

  /** One decision. */
  @Benchmark
  public Decision decide() {
    nowNanos += stepNanos;
    return algorithm.charge(state, 1, nowNanos);
  }
}
