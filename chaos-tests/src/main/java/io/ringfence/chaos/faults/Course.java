package io.ringfence.chaos.faults;

import java.time.Duration;

/**
 * How a trial went, beside what its clients were answered.
 *
 * @param trial its number
 * @param quietNanos when the last offers began
 * @param asked what the askers saw
 * @param disturbed whether the machine held up a node that the fault spared, until a view set it
 *     AWAY
 * @param hiccup the worst delay that the machine inflicted on a thread that had something to do
 */
record Course(
    int trial,
    Target target,
    Incident incident,
    long quietNanos,
    Window window,
    Askers.Seen asked,
    boolean disturbed,
    Duration hiccup) {}
