package io.ringfence.engine;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;

/** A clock that stands still until it is told to go on, and the timers that go with it. */
public final class VirtualTime implements Clock, Timers {
  /** 2026-01-01T00:00:00Z, aligned to hours and days. */
  public static final long T0_MILLIS = 1_767_225_600_000L;

  private record Task(long atNanos, long order, Runnable action) {}

  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparingLong(Task::atNanos).thenComparingLong(Task::order));
  private long nowNanos = 1_000_000_000L;
  private final long originNanos = nowNanos;
  private long order;
  private int readingsUntilStop = -1; // how many readings are left before it; negative without one
  private long stopNanos;

  @Override
  public long elapsedNanos() {
    if (readingsUntilStop == 0) {
      nowNanos += stopNanos;
    }
    readingsUntilStop--;
    return nowNanos;
  }

  /**
   * Whoever reads the clock is stopped for that long right before its reading of that number, from
   * 0: time passes and no timer runs.
   */
  void stopBefore(int reading, Duration duration) {
    readingsUntilStop = reading;
    stopNanos = duration.toNanos();
  }

  @Override
  public long toWallNanos(long elapsedNanos) {
    return T0_MILLIS * 1_000_000L + (elapsedNanos - originNanos);
  }

  @Override
  public void after(long delayNanos, Runnable task) {
    tasks.add(new Task(nowNanos + delayNanos, order++, task));
  }

  /** Lets that much time pass, and runs what falls due, in its order. */
  public void pass(Duration duration) {
    long until = nowNanos + duration.toNanos();
    while (!tasks.isEmpty() && tasks.peek().atNanos() <= until) {
      Task task = tasks.poll();
      nowNanos = Math.max(nowNanos, task.atNanos());
      task.action().run();
    }
    nowNanos = until;
  }

  /** Goes to that many seconds after T0. */
  public void at(double seconds) {
    long target = originNanos + Math.round(seconds * 1e9);
    pass(Duration.ofNanos(target - nowNanos));
  }
}
