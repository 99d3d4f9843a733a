package io.ringfence.chaos.sim;

import io.ringfence.engine.message.CheckMessage;
import io.ringfence.engine.message.Deed;
import io.ringfence.membership.MemberId;
import org.jspecify.annotations.Nullable;

/** One CHECK message, and what became of it. */
final class Question {
  final SimNode caller;
  final @Nullable Call call; // null where a node debits what it admitted by itself
  final MemberId to;
  final CheckMessage message;
  final boolean laterRound; // whether others had answered the call before
  final long dueNanos; // virtual; when its caller stops waiting

  boolean disturbed; // it, its answer or its cancel was lost, doubled, late or held up
  boolean answeredInTime; // its answer reached the caller while the call still waited for it
  boolean chargeIsKnown; // that answer said what was charged, and a cancel can take it back
  boolean cancelled; // the caller sent a cancel for it
  boolean ended; // for its breaker: answered, overdue or not sent

  private Question(
      SimNode caller, @Nullable Call call, MemberId to, CheckMessage message, long dueNanos) {
    this.caller = caller;
    this.call = call;
    this.to = to;
    this.message = message;
    this.laterRound = call != null && (!call.told.isEmpty() || !call.charges.isEmpty());
    this.dueNanos = dueNanos;
  }

  /** A question of a call. */
  static Question of(Call call, MemberId to, CheckMessage message) {
    long due = call.beganNanos + Scenario.DEADLINE_NANOS;
    return new Question(call.node, call, to, message, due);
  }

  /** A node debits what it admitted by itself. */
  static Question debit(SimNode caller, MemberId to, CheckMessage message, long nowNanos) {
    return new Question(caller, null, to, message, nowNanos + Scenario.DEADLINE_NANOS);
  }

  boolean chargesTentatively() {
    return message.mode() == Deed.Mode.TENTATIVE;
  }

  /** Whether its caller may still take an answer. */
  boolean isAwaited(long nowNanos) {
    return nowNanos < dueNanos && (call == null || call.pending());
  }

  /** Whether it changes counters whatever they hold, for a call. */
  boolean corrects() {
    return call != null && call.plan.corrects();
  }

  boolean charges() {
    return message.mode() == Deed.Mode.CHARGE || chargesTentatively();
  }
}
