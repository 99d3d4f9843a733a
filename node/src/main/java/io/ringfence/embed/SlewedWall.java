package io.ringfence.embed;

/**
 * Wall time as a function of elapsed time that never stops and never steps.
 *
 * <p>It is a line: a wall time at some elapsed time, and a slope. Most of the time the slope is
 * one, so that the distance between the two timelines does not change at all and an instant
 * converted twice gives the same wall time. When the system's clock has drifted from the line by
 * more than {@link #DEAD_BAND_NANOS}, the line bends by a tenth, up or down, for as long as it
 * takes to meet the system's clock, and then goes on with slope one. A step of the system's clock
 * by an hour is thus followed in ten hours. Whatever the system's clock does, a window of ours is
 * at most a tenth longer or shorter than it says.
 *
 * <p>Immutable; {@link #observed} gives the line to go on with.
 */
final class SlewedWall {
  static final long DEAD_BAND_NANOS = 20_000_000;

  /** From here on a difference is a step of the system's clock, and worth a line in the log. */
  static final long STEP_NANOS = 1_000_000_000;

  private static final long SLOPE_DIVISOR = 10;

  private final long baseElapsedNanos;
  private final long baseWallNanos;
  private final int bend; // -1, 0 or 1: slower than, with, or faster than elapsed time
  private final long bendNanos; // how long the line is bent, in elapsed time; >= 0

  private SlewedWall(long baseElapsedNanos, long baseWallNanos, int bend, long bendNanos) {
    this.baseElapsedNanos = baseElapsedNanos;
    this.baseWallNanos = baseWallNanos;
    this.bend = bend;
    this.bendNanos = bendNanos;
  }

  /** The line through one pair of readings. */
  static SlewedWall anchored(long elapsedNanos, long wallNanos) {
    return new SlewedWall(elapsedNanos, wallNanos, 0, 0);
  }

  /** The wall time at an elapsed time. */
  long at(long elapsedNanos) {
    long passed = elapsedNanos - baseElapsedNanos;
    long bent = Math.max(0, Math.min(passed, bendNanos));
    return baseWallNanos + passed + bend * (bent / SLOPE_DIVISOR);
  }

  /** How far the system's clock is ahead of the line. */
  long behindNanos(long elapsedNanos, long systemWallNanos) {
    return systemWallNanos - at(elapsedNanos);
  }

  /**
   * The line to go on with after the system's clock was read at an elapsed time. It agrees with
   * this one at that time.
   */
  SlewedWall observed(long elapsedNanos, long systemWallNanos) {
    long behind = behindNanos(elapsedNanos, systemWallNanos);
    long wall = at(elapsedNanos);
    boolean bending = bend != 0 && elapsedNanos - baseElapsedNanos < bendNanos;
    if (!bending && Math.abs(behind) <= DEAD_BAND_NANOS) {
      return this;
    }
    long until = Math.min(Math.abs(behind), Long.MAX_VALUE / SLOPE_DIVISOR) * SLOPE_DIVISOR;
    return new SlewedWall(elapsedNanos, wall, Long.signum(behind), until);
  }
}
