package io.ringfence.chaos.sim;

import io.ringfence.engine.ForwardSettings;
import io.ringfence.engine.ReplicationSettings;
import io.ringfence.ring.RingSettings;
import io.ringfence.rules.RuleSet;
import java.time.Duration;
import java.util.List;

/**
 * All that happens in one run, fixed before it begins, but for the fate of single messages.
 *
 * @param seed from which everything follows
 * @param kind what may go wrong
 * @param nodes how many nodes there are, 2 to 5
 * @param ring the ring
 * @param rules the rules of all nodes
 * @param rates how the network behaves
 * @param calls the load, in order of time
 * @param faults what is done to the cluster, in order of time
 */
record Scenario(
    long seed,
    RunKind kind,
    int nodes,
    RingSettings ring,
    RuleSet rules,
    Rates rates,
    List<PlannedCall> calls,
    List<Fault> faults) {

  /** Calls stand this far apart, so that the time left tells the calls of one node apart. */
  static final long CALL_GRID_NANOS = 2_000;

  /** A short probe interval, so that a run sees breakers open and close again. */
  static final ForwardSettings FORWARD =
      new ForwardSettings(Duration.ofMillis(20), 5, Duration.ofMillis(100));

  /** So that no check ever waits for copies: what an owner decides shows at once. */
  static final ReplicationSettings REPLICATION =
      new ReplicationSettings(Duration.ofMillis(10), Duration.ofMinutes(1));

  static final long DEADLINE_NANOS = FORWARD.deadline().toNanos();
}
