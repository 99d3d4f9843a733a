package io.ringfence.benchmarks;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * What other keys' callers notice of a greedy one. Spans without it and spans with it take turns,
 * so that whatever else goes on in the machine meets both alike.
 *
 * @param what was measured
 * @param othersPerSecond checks of the other keys
 * @param greedyPerSecond checks of the greedy key, as they were made
 * @param without times of the other keys' checks while the greedy one kept still
 * @param with the same while it did not
 */
record Neighbours(
    String what,
    double othersPerSecond,
    double greedyPerSecond,
    Histogram without,
    Histogram with) {
  private static final double NANOS_PER_MICRO = 1_000;

  /** A load: what is called, and how often. */
  record Lane(double perSecond, Lanes.Call call) {
    private Paced start(Histogram times) {
      return Paced.start(perSecond, times, call);
    }
  }

  /**
   * How long.
   *
   * @param spanSeconds of one span without or with the greedy key
   * @param rounds of two spans each
   */
  record Length(int spanSeconds, int rounds) {
    long spanNanos() {
      return TimeUnit.SECONDS.toNanos(spanSeconds);
    }
  }

  static Neighbours measure(String what, Lane others, Lane greedy, Length length)
      throws InterruptedException {
    Histogram without = Paced.histogram();
    Histogram with = Paced.histogram();
    double othersPerSecond = 0;
    double greedyPerSecond = 0;
    for (int round = -1; round < length.rounds(); round++) {
      othersPerSecond += others.start(without).runFor(length.spanNanos());
      Paced hungry = greedy.start(Paced.histogram());
      try {
        othersPerSecond += others.start(with).runFor(length.spanNanos());
        greedyPerSecond += hungry.perSecond();
      } finally {
        hungry.stop();
      }
      if (round < 0) { // which warms up
        without.reset();
        with.reset();
        othersPerSecond = 0;
        greedyPerSecond = 0;
      }
    }
    return new Neighbours(
        what,
        othersPerSecond / (2 * length.rounds()),
        greedyPerSecond / length.rounds(),
        without,
        with);
  }

  static String header() {
    return """
    | what | other keys/s | greedy checks/s | p50 µs without | with | ratio | p99 µs without | with | ratio |
    |---|---|---|---|---|---|---|---|---|\
    """;
  }

  String row() {
    return String.format(
        Locale.ROOT,
        "| %s | %,.0f | %,.0f | %s | %s |",
        what,
        othersPerSecond,
        greedyPerSecond,
        compared(50),
        compared(99));
  }

  private String compared(double percentile) {
    double before = without.getValueAtPercentile(percentile) / NANOS_PER_MICRO;
    double after = with.getValueAtPercentile(percentile) / NANOS_PER_MICRO;
    return String.format(Locale.ROOT, "%,.0f | %,.0f | %.2f", before, after, after / before);
  }
}
