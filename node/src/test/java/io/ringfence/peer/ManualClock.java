package io.ringfence.peer;

import io.ringfence.engine.Clock;
import java.util.concurrent.atomic.AtomicLong;

/** Time that moves only when a test says so. */
final class ManualClock implements Clock {
  private final AtomicLong nanos = new AtomicLong();

  void advanceNanos(long by) {
    nanos.addAndGet(by);
  }

  @Override
  public long elapsedNanos() {
    return nanos.get();
  }

  @Override
  public long toWallNanos(long elapsedNanos) {
    return elapsedNanos;
  }
}
