package io.ringfence.chaos.wire;

/**
 * The clocks of this machine, read nowhere else in this module. Nodes run on the same machine, so
 * their wall clock is this one; what a node says of the time can be held against it.
 */
public final class MachineClock {
  private MachineClock() {}

  /** Nanoseconds from an arbitrary origin, never going back. For durations alone. */
  public static long nanos() {
    return System.nanoTime();
  }

  /** Milliseconds since the epoch, as nodes stamp their answers. */
  public static long epochMillis() {
    return System.currentTimeMillis();
  }
}
