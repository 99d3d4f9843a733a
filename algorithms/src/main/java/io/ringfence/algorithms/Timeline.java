package io.ringfence.algorithms;

/**
 * Which clock the time argument of an {@link Algorithm} is read from. The caller owns both clocks;
 * the algorithms own neither. Both timelines count nanoseconds and must stay within plus or minus
 * 2^62 (146 years of their origin).
 */
public enum Timeline {
  /**
   * Time elapsed since an arbitrary origin of this process, from a monotonic clock. Its values mean
   * nothing to another process, so what leaves the process is an age. Used where only differences
   * matter.
   */
  ELAPSED,

  /**
   * Nanoseconds since 1970-01-01T00:00:00Z. Used where windows are aligned to the epoch, so that
   * every node finds the same edges. Values may cross to another process as they are.
   */
  WALL
}
