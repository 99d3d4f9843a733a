package io.ringfence.chaos.sim;

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
 * @param calls how many checks and peeks were made
 */
record Outcome(
    long seed,
    RunKind kind,
    List<Finding> findings,
    List<String> story,
    Coverage coverage,
    int calls) {}
