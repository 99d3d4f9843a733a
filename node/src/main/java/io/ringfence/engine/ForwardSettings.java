package io.ringfence.engine;

import java.time.Duration;

/**
 * How long a node waits for another, and when it stops asking.
 *
 * @param deadline how long a check may take that another node decides; 1 ms to 60 s
 * @param breakerFailures how many consecutive failures of one member open its breaker; 1 to 1,000
 * @param probe how long an open breaker waits before one check tries the member again; 10 ms to 60
 *     s
 */
public record ForwardSettings(Duration deadline, int breakerFailures, Duration probe) {

  /** 20 ms, 5 failures, 1 s. */
  public static final ForwardSettings DEFAULT =
      new ForwardSettings(Duration.ofMillis(20), 5, Duration.ofSeconds(1));

  /** Validates the ranges. */
  public ForwardSettings {
    if (deadline.toMillis() < 1 || deadline.compareTo(Duration.ofSeconds(60)) > 0) {
      throw new IllegalArgumentException(
          "forward.deadline must be from 1ms to 60s, not " + deadline);
    }
    if (breakerFailures < 1 || breakerFailures > 1_000) {
      throw new IllegalArgumentException(
          "forward.breaker_failures must be from 1 to 1000, not " + breakerFailures);
    }
    if (probe.toMillis() < 10 || probe.compareTo(Duration.ofSeconds(60)) > 0) {
      throw new IllegalArgumentException("forward.probe must be from 10ms to 60s, not " + probe);
    }
  }
}
