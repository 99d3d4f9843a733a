package io.ringfence.chaos.faults;

import io.ringfence.chaos.wire.Certainty;
import org.jspecify.annotations.Nullable;

/**
 * One check as its client saw it. Times are nanoseconds of this machine's monotonic clock.
 *
 * @param key its place in the trial's list of keys
 * @param node who was asked
 * @param sentNanos before it was written
 * @param receivedNanos after its answer was read; where there is none, after the wait was given up
 * @param reply what was answered
 * @param owner the node that decided, or null
 */
record Check(
    int key, String node, long sentNanos, long receivedNanos, Reply reply, @Nullable String owner) {

  /** What a client can be told. */
  enum Reply {
    /** 200 by the owner. */
    ADMITTED,
    /** 429 by the owner. */
    DENIED,
    /** 200 by the failure policy of the node that was asked. */
    ADMITTED_BY_POLICY,
    /** 429 or 503 by that policy. */
    REFUSED_BY_POLICY,
    /** Nothing: the connection broke, or the client had waited long enough. */
    NONE;

    static Reply of(boolean allowed, Certainty certainty) {
      if (certainty == Certainty.DEGRADED || certainty == Certainty.CLOSED) {
        return allowed ? ADMITTED_BY_POLICY : REFUSED_BY_POLICY;
      }
      return allowed ? ADMITTED : DENIED;
    }
  }

  boolean admitted() {
    return reply == Reply.ADMITTED || reply == Reply.ADMITTED_BY_POLICY;
  }

  boolean byOwner() {
    return reply == Reply.ADMITTED || reply == Reply.DENIED;
  }

  boolean byPolicy() {
    return reply == Reply.ADMITTED_BY_POLICY || reply == Reply.REFUSED_BY_POLICY;
  }

  long tookNanos() {
    return receivedNanos - sentNanos;
  }
}
