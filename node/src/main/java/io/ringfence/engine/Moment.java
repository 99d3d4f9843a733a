package io.ringfence.engine;

import io.ringfence.algorithms.Timeline;

/**
 * One reading of the clock, on both timelines.
 *
 * @param elapsedNanos monotonic time of this process
 * @param wallNanos the wall time that belongs to it
 */
record Moment(long elapsedNanos, long wallNanos) {
  private static final long NANOS_PER_MILLI = 1_000_000;

  static Moment of(Clock clock) {
    return at(clock, clock.elapsedNanos());
  }

  static Moment at(Clock clock, long elapsedNanos) {
    return new Moment(elapsedNanos, clock.toWallNanos(elapsedNanos));
  }

  long on(Timeline timeline) {
    return switch (timeline) {
      case ELAPSED -> elapsedNanos;
      case WALL -> wallNanos;
    };
  }

  /** An instant of the given timeline in epoch milliseconds, rounded up. */
  long toEpochMillis(Timeline timeline, long instantNanos) {
    long wall =
        switch (timeline) {
          case ELAPSED -> wallNanos + (instantNanos - elapsedNanos);
          case WALL -> instantNanos;
        };
    return -Math.floorDiv(-wall, NANOS_PER_MILLI);
  }
}
