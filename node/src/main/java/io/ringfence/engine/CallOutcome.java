package io.ringfence.engine;

import io.ringfence.engine.LimitVerdict.Answer;
import io.ringfence.engine.message.NotOwnerMessage;
import io.ringfence.engine.message.UsageAnswerMessage;
import java.util.List;

/** Receives how a call to an owner ended; exactly one method, once. Must not block. */
interface CallOutcome {

  /** The owner decided. */
  void answered(List<Answer> answers);

  /** The owner told what a client has used; comes only where that was asked. */
  default void told(UsageAnswerMessage usage) {
    failed(Failure.REFUSED);
  }

  /** The member does not decide for the slots. */
  void notOwner(NotOwnerMessage told);

  /** No decision came. */
  void failed(Failure failure);

  /** Why no decision came. */
  enum Failure {
    /** The deadline passed; the owner may have charged. */
    DEADLINE(true),
    /** The connection broke while the call was under way; the owner may have charged. */
    DISCONNECTED(true),
    /** The member is not connected, or its queue is full. */
    UNREACHABLE(false),
    /** The breaker is open. */
    BREAKER_OPEN(false),
    /** Too many calls to the member are under way. */
    TOO_MANY_IN_FLIGHT(false),
    /** There is no room in the table, here or at the member, for a new counter. */
    NO_ROOM(false),
    /** The member answered that it cannot decide. */
    REFUSED(false),
    /** This node is in no view, or no member owns the slot. */
    NO_OWNER(false),
    /** This node holds no lease. */
    NO_LEASE(false);

    private final boolean mayHaveCharged;

    Failure(boolean mayHaveCharged) {
      this.mayHaveCharged = mayHaveCharged;
    }

    boolean mayHaveCharged() {
      return mayHaveCharged;
    }
  }
}
