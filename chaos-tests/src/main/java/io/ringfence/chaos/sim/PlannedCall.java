package io.ringfence.chaos.sim;

import io.ringfence.rules.Request;

/**
 * A check that a scenario makes.
 *
 * @param atNanos when; no two calls of a run are less than {@link Scenario#CALL_GRID_NANOS} apart
 * @param node the node that is asked
 * @param request who asks for what
 * @param cost 1 or more
 * @param peek whether nothing is to be charged
 */
record PlannedCall(long atNanos, int node, Request request, long cost, boolean peek) {}
