package io.ringfence.chaos.virtual;

import java.util.ArrayList;
import java.util.List;

/**
 * The wall clock of one process as a line over its elapsed time. It follows the system's clock by
 * at most a tenth, and so neither stops nor steps: a step of the system's clock bends the line for
 * ten times as long as the step is wide.
 */
public final class WallLine {
  private static final long SLOPE_DIVISOR = 10;

  private final List<Stretch> stretches = new ArrayList<>(2); // by fromNanos, never empty

  /** A stretch of the line; each goes on until the next begins. */
  private record Stretch(long fromNanos, long wallNanos, int bend, long bendNanos) {
    long at(long elapsedNanos) {
      long passed = elapsedNanos - fromNanos;
      long bent = Math.max(0, Math.min(passed, bendNanos));
      return wallNanos + passed + bend * (bent / SLOPE_DIVISOR);
    }
  }

  /** A straight line through that point. */
  public WallLine(long elapsedNanos, long wallNanos) {
    stretches.add(new Stretch(elapsedNanos, wallNanos, 0, 0));
  }

  /** The wall time, in nanoseconds since the epoch, at that elapsed time. */
  public long at(long elapsedNanos) {
    int last = stretches.size() - 1;
    while (last > 0 && stretches.get(last).fromNanos() > elapsedNanos) {
      last--;
    }
    return stretches.get(last).at(elapsedNanos);
  }

  /** At that elapsed time the system's clock is set by so much, forwards or back. */
  public void systemClockSet(long elapsedNanos, long byNanos) {
    stretches.add(
        new Stretch(
            elapsedNanos,
            at(elapsedNanos),
            Long.signum(byNanos),
            Math.abs(byNanos) * SLOPE_DIVISOR));
  }

  /** Whether the system's clock was set, so that wall time runs faster or slower for a while. */
  public boolean wasSet() {
    return stretches.size() > 1;
  }
}
