package io.ringfence.chaos.swarm;

import java.util.List;

/**
 * All that is done in one run, fixed before it begins.
 *
 * @param kind what may go wrong
 * @param setup what all processes have in common
 * @param founders how many processes start at the beginning, on the first hosts
 * @param faults what is done to the cluster, by time
 * @param load the checks that are made meanwhile, by time
 * @param reserve checks that are made while slots move, in quick succession, as long as they last
 */
record Plan(
    RunKind kind,
    Setup setup,
    int founders,
    List<Fault> faults,
    List<Call> load,
    List<Call> reserve) {

  /**
   * A check at a random process.
   *
   * @param atNanos since the cluster stood
   */
  record Call(long atNanos, int key, int cost) {}
}
