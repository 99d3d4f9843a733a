package io.ringfence.peer;

import java.util.random.RandomGenerator;

/**
 * How long to wait before the next attempt: nothing before the first, then 5 ms, then 50 ms,
 * doubling up to 1 s, of which a random half at most is taken off, so that peers that lost each
 * other at one instant do not come back at one.
 *
 * <p>The second comes so soon because a process that ends may take a connection in its last moment.
 * That is reset then, which proves nothing; the next one is refused.
 *
 * <p>Not thread-safe.
 */
final class Backoff {
  private static final int SECOND_MILLIS = 5;
  private static final int THIRD_MILLIS = 50;
  private static final int MAX_MILLIS = 1_000;

  private final RandomGenerator random;
  private int attempts; // 0.. since the last reset

  Backoff(RandomGenerator random) {
    this.random = random;
  }

  /** The next wait, 0 to 1,000 ms. */
  long nextMillis() {
    int attempt = attempts++;
    if (attempt == 0) {
      return 0;
    }
    long full =
        attempt == 1
            ? SECOND_MILLIS
            : Math.min(MAX_MILLIS, (long) THIRD_MILLIS << Math.min(attempt - 2, 10));
    return full - random.nextLong(full / 2 + 1);
  }

  /** Starts again from no wait. */
  void reset() {
    attempts = 0;
  }
}
