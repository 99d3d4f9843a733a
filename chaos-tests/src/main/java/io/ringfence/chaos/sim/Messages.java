package io.ringfence.chaos.sim;

import io.ringfence.engine.LimitVerdict.Answer;
import io.ringfence.engine.message.AnswerMessage;
import io.ringfence.engine.message.CancelMessage;
import io.ringfence.engine.message.CheckMessage;
import io.ringfence.engine.message.CopiedMessage;
import io.ringfence.engine.message.CopyMessage;
import io.ringfence.engine.message.LiftMessage;
import io.ringfence.engine.message.LiftedMessage;
import io.ringfence.engine.message.PeerMessage;
import io.ringfence.engine.message.RefusalMessage;
import io.ringfence.engine.message.SlotCopy;
import java.util.StringJoiner;

/**
 * The one place that knows the kinds of messages: their names, their way, and how a story reads.
 */
final class Messages {
  private Messages() {}

  /** Throws IllegalArgumentException for what nobody has to send where members stay the same. */
  static Step stepOf(PeerMessage message) {
    if (message instanceof CheckMessage check) {
      return switch (check.mode()) {
        case CHARGE -> Step.CHECK_CHARGE;
        case TENTATIVE -> Step.CHECK_TENTATIVE;
        case PEEK -> Step.CHECK_PEEK;
        case REFUND -> Step.REFUND;
        case RESET -> Step.RESET;
        case DEBIT, LATE, RECOVER -> Step.DEBIT;
      };
    } else if (message instanceof AnswerMessage) {
      return Step.ANSWER;
    } else if (message instanceof RefusalMessage) {
      return Step.REFUSAL;
    } else if (message instanceof CancelMessage) {
      return Step.CANCEL;
    } else if (message instanceof LiftMessage) {
      return Step.LIFT;
    } else if (message instanceof LiftedMessage) {
      return Step.LIFTED;
    } else if (message instanceof CopyMessage) {
      return Step.COPY;
    } else if (message instanceof CopiedMessage) {
      return Step.COPIED;
    }
    throw new IllegalArgumentException("not where members stay the same: " + message);
  }

  /** Whether it goes back on the connection that the question came by, as in the peer protocol. */
  static boolean isAnswer(PeerMessage message) {
    return switch (stepOf(message)) {
      case ANSWER, REFUSAL, LIFTED, COPIED -> true;
      default -> false;
    };
  }

  /** The message in the words of a story. */
  static String tell(PeerMessage message) {
    String name = stepOf(message).text();
    if (message instanceof CheckMessage check) {
      return "%s #%d of %d counters, %d us left"
          .formatted(name, check.id(), check.counters().size(), check.budgetMicros());
    } else if (message instanceof AnswerMessage answer) {
      StringJoiner numbers = new StringJoiner(", ");
      answer.answers().forEach(each -> numbers.add(tell(each)));
      return "%s #%d: %s".formatted(name, answer.id(), numbers);
    } else if (message instanceof RefusalMessage refusal) {
      return "%s #%d: %s".formatted(name, refusal.id(), refusal.reason());
    } else if (message instanceof CancelMessage cancel) {
      return "%s #%d".formatted(name, cancel.checkId());
    } else if (message instanceof CopyMessage copy) {
      StringJoiner slots = new StringJoiner(", ");
      copy.slots().forEach(each -> slots.add(tell(each)));
      return "%s #%d of %s".formatted(name, copy.number(), slots);
    } else if (message instanceof CopiedMessage copied) {
      return "%s #%d, but for %s".formatted(name, copied.number(), copied.untaken());
    }
    return name;
  }

  private static String tell(SlotCopy copy) {
    return "slot %d: %s, %d counters, batch %d"
        .formatted(copy.slot(), copy.kind(), copy.counters().size(), copy.version().batch());
  }

  /** The numbers of one limit in the words of a story. */
  static String tell(Answer answer) {
    String verdict = answer.allowed() ? "yes" : "no";
    String wait =
        answer.allowed()
            ? ""
            : answer.retryAfterNanos() == ReferenceCounter.NEVER
                ? ", never"
                : ", in %.3f ms".formatted(answer.retryAfterNanos() / 1e6);
    return "%s, %d of %d left%s, %s"
        .formatted(verdict, answer.remaining(), answer.limit(), wait, answer.certainty().text());
  }
}
