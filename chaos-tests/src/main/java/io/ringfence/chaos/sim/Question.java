package io.ringfence.chaos.sim;

import io.ringfence.engine.message.CheckMessage;
import io.ringfence.membership.MemberId;

/** One CHECK message of a call, and what became of it. */
final class Question {
  final Call call;
  final MemberId to;
  final CheckMessage message;
  final boolean laterRound; // whether others had answered the call before

  boolean disturbed; // it, its answer or its cancel was lost, doubled, late or held up
  boolean answeredInTime; // its answer reached the caller while the call still waited for it
  boolean chargeIsKnown; // that answer said what was charged, and a cancel can take it back
  boolean cancelled; // the caller sent a cancel for it
  boolean ended; // for its breaker: answered, overdue or not sent

  Question(Call call, MemberId to, CheckMessage message, boolean laterRound) {
    this.call = call;
    this.to = to;
    this.message = message;
    this.laterRound = laterRound;
  }

  boolean chargesTentatively() {
    return message.mode() == CheckMessage.Mode.TENTATIVE;
  }

  boolean charges() {
    return message.mode() != CheckMessage.Mode.PEEK;
  }
}
