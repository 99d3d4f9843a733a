package io.ringfence.chaos.swarm;

import java.util.Set;

/**
 * Something that a plan does to the cluster. Times in virtual nanoseconds since the cluster stood,
 * hosts by number. What makes no sense when its time comes (a host without a process, the last
 * process to decide) is left out.
 */
sealed interface Fault {

  /** When. */
  long atNanos();

  /** Its kind. */
  FaultKind kind();

  /**
   * A fault lies in wait, from its time on and for four seconds, until the cluster comes into a
   * state, and falls a little later.
   */
  record Ambush(long atNanos, ClusterState state, long afterNanos, Fault fault) implements Fault {
    @Override
    public FaultKind kind() {
      return fault.kind();
    }
  }

  /** A process is killed; after a while another is started in its place, or (negative) none. */
  record Crash(long atNanos, int host, long restartNanos) implements Fault {
    @Override
    public FaultKind kind() {
      return FaultKind.CRASH;
    }
  }

  /** All processes are killed at once, and started again after a while. */
  record CrashAll(long atNanos, long restartNanos) implements Fault {
    @Override
    public FaultKind kind() {
      return FaultKind.CRASH_ALL;
    }
  }

  /** A process is stopped: what comes for it waits, its clock runs on. */
  record Freeze(long atNanos, int host, long forNanos) implements Fault {
    @Override
    public FaultKind kind() {
      return FaultKind.FREEZE;
    }
  }

  /** Nothing gets from one host to another for a while; both ways, or this way alone. */
  record Cut(long atNanos, int from, int to, boolean bothWays, long forNanos) implements Fault {
    @Override
    public FaultKind kind() {
      return bothWays ? FaultKind.CUT_BOTH_WAYS : FaultKind.CUT_ONE_WAY;
    }
  }

  /** The hosts of one part and all others do not reach each other for a while. */
  record Partition(long atNanos, Set<Integer> part, long forNanos) implements Fault {
    @Override
    public FaultKind kind() {
      return FaultKind.PARTITION;
    }
  }

  /** The link of two hosts is slow for a while. */
  record Slow(long atNanos, int one, int other, long byNanos, long forNanos) implements Fault {
    @Override
    public FaultKind kind() {
      return FaultKind.SLOW;
    }
  }

  /** A process is started on a host that has none. */
  record Join(long atNanos, int host) implements Fault {
    @Override
    public FaultKind kind() {
      return FaultKind.JOIN;
    }
  }

  /** A process leaves in order; after a while another starts in its place, or (negative) none. */
  record Drain(long atNanos, int host, long restartNanos) implements Fault {
    @Override
    public FaultKind kind() {
      return FaultKind.DRAIN;
    }
  }

  /** Every node is drained and started again, one after the other. */
  record Rolling(long atNanos) implements Fault {
    @Override
    public FaultKind kind() {
      return FaultKind.ROLLING;
    }
  }

  /** An operator gives a node another weight. */
  record Weigh(long atNanos, int host, int weight) implements Fault {
    @Override
    public FaultKind kind() {
      return FaultKind.WEIGH;
    }
  }

  /** The system's clock of a host is set. */
  record ClockSet(long atNanos, int host, long byNanos) implements Fault {
    @Override
    public FaultKind kind() {
      return FaultKind.CLOCK_SET;
    }
  }
}
