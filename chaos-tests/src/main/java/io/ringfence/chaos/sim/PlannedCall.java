package io.ringfence.chaos.sim;

import io.ringfence.engine.message.Deed;
import io.ringfence.rules.Request;
import org.jspecify.annotations.Nullable;

/**
 * A call that a scenario makes.
 *
 * @param atNanos when; no two calls of a run are less than {@link Scenario#CALL_GRID_NANOS} apart
 * @param node the node that is asked
 * @param request who asks for what
 * @param cost 1 or more
 * @param mode what is asked for; never {@link Deed.Mode#TENTATIVE}, which is a matter of rounds
 * @param requestId what its caller calls it, if it is a check; null for a call without a name
 */
record PlannedCall(
    long atNanos,
    int node,
    Request request,
    long cost,
    Deed.Mode mode,
    @Nullable String requestId) {

  /** What tells one request from another: checks with the same name are one, repeated. */
  record Name(String client, String id) {}

  boolean isCheck() {
    return mode == Deed.Mode.CHARGE;
  }

  /** Whether it changes counters whatever they hold. */
  boolean corrects() {
    return !isCheck() && mode != Deed.Mode.PEEK;
  }

  /** Whether it may end denials that were stated. */
  boolean givesBack() {
    return mode == Deed.Mode.REFUND || mode == Deed.Mode.RESET;
  }

  @Nullable Name name() {
    return requestId == null ? null : new Name(request.client(), requestId);
  }

  /** The same once more, by way of that node. */
  PlannedCall repeated(long againNanos, int otherNode) {
    return new PlannedCall(againNanos, otherNode, request, cost, mode, requestId);
  }
}
