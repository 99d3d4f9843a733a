package io.ringfence.embed;

import io.ringfence.engine.Clock;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The clock of a running node, and the only class that reads the machine's clocks.
 *
 * <p>Elapsed time is {@link System#nanoTime}, which goes on while the process is stopped. Wall time
 * follows the system's clock by {@link SlewedWall} and is brought up to date by {@link
 * #discipline}. Thread-safe.
 */
public final class SystemClock implements Clock {
  private static final Logger LOG = LoggerFactory.getLogger(SystemClock.class);
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final long originNanos = System.nanoTime();
  private final AtomicLong steps = new AtomicLong();
  private volatile SlewedWall wall = SlewedWall.anchored(0, systemWallNanos());
  private long lastBehindNanos; // of the last reading; guarded by this

  @Override
  public long elapsedNanos() {
    return System.nanoTime() - originNanos;
  }

  @Override
  public long toWallNanos(long elapsedNanos) {
    return wall.at(elapsedNanos);
  }

  /** Compares with the system's clock; to be called about once a second. Does not block. */
  public synchronized void discipline() {
    long elapsed = elapsedNanos();
    long system = systemWallNanos();
    long behind = wall.behindNanos(elapsed, system);
    if (Math.abs(behind - lastBehindNanos) > SlewedWall.STEP_NANOS) {
      steps.incrementAndGet();
      LOG.warn(
          "the system's clock was set by {} ms; wall time follows it by at most a tenth",
          (behind - lastBehindNanos) / NANOS_PER_MILLI);
    }
    lastBehindNanos = behind;
    wall = wall.observed(elapsed, system);
  }

  /** How often the system's clock was seen to step by more than a second. */
  public long steps() {
    return steps.get();
  }

  private static long systemWallNanos() {
    return System.currentTimeMillis() * NANOS_PER_MILLI;
  }
}
