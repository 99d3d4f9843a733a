package io.ringfence.engine;

/**
 * The two timelines of a node. Both never step back within a process.
 *
 * <p>Thread-safe; neither call blocks.
 */
public interface Clock {

  /**
   * Monotonic time since an arbitrary origin of this process, in nanoseconds, 0 or more. It runs
   * while the process is stopped.
   */
  long elapsedNanos();

  /**
   * Wall time in nanoseconds since the epoch: an anchor plus monotonic time, slewed towards the
   * system's clock, so that it never stops and never steps.
   */
  long wallNanos();
}
