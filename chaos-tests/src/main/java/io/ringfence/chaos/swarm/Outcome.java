package io.ringfence.chaos.swarm;

import io.ringfence.chaos.virtual.Finding;
import java.util.List;

/**
 * What came of one run.
 *
 * @param seed its seed
 * @param kind what could go wrong
 * @param findings what broke; empty if nothing did
 * @param story what happened, a line each; empty unless it was to be told
 * @param coverage what the faults met
 * @param checks how many checks were made
 * @param virtualNanos how long it took by the clock of the run
 */
record Outcome(
    long seed,
    RunKind kind,
    List<Finding> findings,
    List<String> story,
    Coverage coverage,
    int checks,
    long virtualNanos) {}
