package io.ringfence.chaos.swarm;

import io.ringfence.chaos.virtual.Agenda;
import io.ringfence.chaos.virtual.WallLine;
import io.ringfence.engine.Clock;

/**
 * The clock of one process, within what the engine's clock port and the lease promise.
 *
 * <p>Elapsed time starts anywhere, runs on whatever happens, and at a rate of its own: any two
 * differ by less than a twentieth. Wall time follows elapsed time and is bent for a while where the
 * system's clock was set: by a tenth at most, so it neither stops nor steps. The windows of the
 * rules are aligned to wall time and long, and a run begins in the middle of one.
 */
final class ProcessClock implements Clock {
  /** 2026-01-01T00:20:00Z, twenty minutes into every window that the rules have. */
  static final long T0_WALL_NANOS = 1_767_226_800_000_000_000L;

  private static final long MILLION = 1_000_000;

  private final Agenda agenda;
  private final long aheadNanos;
  private final long ratePpm;
  private final WallLine wall;

  /**
   * A clock.
   *
   * @param aheadNanos of elapsed time before virtual time, 0 or more
   * @param ratePpm by how many millionths it runs faster than virtual time; negative for slower
   * @param skewNanos of its wall time before that of others
   */
  ProcessClock(Agenda agenda, long aheadNanos, long ratePpm, long skewNanos) {
    this.agenda = agenda;
    this.aheadNanos = aheadNanos;
    this.ratePpm = ratePpm;
    this.wall = new WallLine(elapsedNanos(), T0_WALL_NANOS + agenda.now() + skewNanos);
  }

  @Override
  public long elapsedNanos() {
    return elapsedAt(agenda.now());
  }

  private long elapsedAt(long virtualNanos) {
    return aheadNanos + virtualNanos + Math.floorDiv(virtualNanos * ratePpm, MILLION);
  }

  /** How long in virtual time until that much has passed here. */
  long virtualNanos(long hereNanos) {
    long now = agenda.now();
    long virtual = hereNanos * MILLION / (MILLION + ratePpm);
    while (elapsedAt(now + virtual) - elapsedAt(now) < hereNanos) {
      virtual++;
    }
    return virtual;
  }

  @Override
  public long toWallNanos(long elapsedNanos) {
    return wall.at(elapsedNanos);
  }

  /** The system's clock is set by that much, forwards or back. */
  void systemClockSet(long byNanos) {
    wall.systemClockSet(elapsedNanos(), byNanos);
  }
}
