package io.ringfence.engine;

/**
 * The two timelines of a node. Neither ever steps back within a process.
 *
 * <p>Wall time is a function of elapsed time, so that both can be taken from one reading: two
 * numbers of one decision can never stem from two different instants.
 *
 * <p>Thread-safe; no call blocks.
 */
public interface Clock {

  /**
   * Monotonic time since an arbitrary origin of this process, in nanoseconds, 0 or more. It runs
   * while the process is stopped.
   */
  long elapsedNanos();

  /**
   * The wall time, in nanoseconds since the epoch, that belongs to an elapsed time: an anchor plus
   * the elapsed time, slewed towards the system's clock, so that it never stops and never steps.
   */
  long toWallNanos(long elapsedNanos);

  /** The wall time now. */
  default long wallNanos() {
    return toWallNanos(elapsedNanos());
  }
}
