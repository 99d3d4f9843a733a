package io.ringfence.chaos.sim;

import io.ringfence.chaos.virtual.Agenda;
import io.ringfence.chaos.virtual.WallLine;
import io.ringfence.engine.Clock;

/**
 * The clock of one simulated node, within what the engine's clock port promises: elapsed time runs
 * on whatever happens; wall time is a function of it that follows the system's clock by at most a
 * tenth, and so neither stops nor steps. A step of the system's clock bends the line for ten times
 * as long as the step is wide.
 */
final class NodeClock implements Clock {
  /** 2026-01-01T00:00:00Z, an edge of every window that divides a day. */
  static final long T0_WALL_NANOS = 1_767_225_600_000_000_000L;

  private final Agenda agenda;
  private final long aheadNanos; // of elapsed time before virtual time; each process has its origin
  private final WallLine wall;

  NodeClock(Agenda agenda, long aheadNanos, long skewNanos) {
    this.agenda = agenda;
    this.aheadNanos = aheadNanos;
    this.wall = new WallLine(aheadNanos, T0_WALL_NANOS + skewNanos);
  }

  @Override
  public long elapsedNanos() {
    return agenda.now() + aheadNanos;
  }

  @Override
  public long toWallNanos(long elapsedNanos) {
    return wall.at(elapsedNanos);
  }

  /** The system's clock is set by that much, forwards or back. */
  void systemClockSet(long byNanos) {
    wall.systemClockSet(elapsedNanos(), byNanos);
  }

  /** Whether the system's clock was set, so that wall time runs faster or slower for a while. */
  boolean wasSet() {
    return wall.wasSet();
  }

  /** This instant on both timelines. */
  Instants now() {
    long elapsed = elapsedNanos();
    return new Instants(elapsed, toWallNanos(elapsed));
  }

  /** A virtual instant on both timelines of this node. */
  Instants at(long virtualNanos) {
    long elapsed = virtualNanos + aheadNanos;
    return new Instants(elapsed, toWallNanos(elapsed));
  }

  /**
   * One instant of one node.
   *
   * @param elapsedNanos on the monotonic timeline of its process
   * @param wallNanos on its wall clock
   */
  record Instants(long elapsedNanos, long wallNanos) {
    Instants plus(long nanos) {
      return new Instants(elapsedNanos + nanos, wallNanos + nanos);
    }
  }
}
