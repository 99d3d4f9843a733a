package io.ringfence.http;

import io.ringfence.engine.Clock;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that moves when it is told to. Its wall time starts at 2026-01-01T00:00:00Z. */
final class ManualClock implements Clock {
  static final long START_MILLIS = 1_767_225_600_000L;

  private final AtomicLong elapsedNanos = new AtomicLong();

  void set(double seconds) {
    elapsedNanos.set(Math.round(seconds * 1_000_000_000.0));
  }

  void advanceNanos(long nanos) {
    elapsedNanos.addAndGet(nanos);
  }

  @Override
  public long elapsedNanos() {
    return elapsedNanos.get();
  }

  @Override
  public long toWallNanos(long elapsed) {
    return START_MILLIS * 1_000_000 + elapsed;
  }
}
