package io.ringfence.benchmarks;

import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * What a driver measured.
 *
 * @param what was measured
 * @param inFlight how many checks were under way at once
 * @param perSecond checks per second
 * @param latency of each check, in nanoseconds
 */
record Measured(String what, int inFlight, double perSecond, Histogram latency) {
  private static final double NANOS_PER_MICRO = 1_000;

  static String header() {
    return """
    | what | in flight | checks/s | p50 µs | p99 µs | p99.9 µs |
    |---|---|---|---|---|---|\
    """;
  }

  String row() {
    return String.format(
        Locale.ROOT,
        "| %s | %d | %,.0f | %,.0f | %,.0f | %,.0f |",
        what,
        inFlight,
        perSecond,
        latency.getValueAtPercentile(50) / NANOS_PER_MICRO,
        latency.getValueAtPercentile(99) / NANOS_PER_MICRO,
        latency.getValueAtPercentile(99.9) / NANOS_PER_MICRO);
  }
}
