package io.ringfence.engine;

/** Runs something later. Thread-safe; does not block. */
public interface Timers {

  /**
   * Runs the task once, not before the delay has passed. The task runs on a thread of the timers
   * and must not block.
   *
   * @param delayNanos 0 or more
   */
  void after(long delayNanos, Runnable task);
}
