package io.ringfence.chaos.swarm;

import io.ringfence.engine.message.AnswerMessage;
import io.ringfence.engine.message.CopiedMessage;
import io.ringfence.engine.message.LiftedMessage;
import io.ringfence.engine.message.NotOwnerMessage;
import io.ringfence.engine.message.PeerMessage;
import io.ringfence.engine.message.PongMessage;
import io.ringfence.engine.message.PromiseMessage;
import io.ringfence.engine.message.RefusalMessage;
import io.ringfence.engine.message.TakenMessage;
import io.ringfence.engine.message.UsageAnswerMessage;
import io.ringfence.engine.message.ViewMessage;
import io.ringfence.engine.message.ViewWordMessage;
import java.util.regex.Pattern;

/** Which way messages travel, and how a story tells them. */
final class Frames {
  private static final int MOST_CHARS = 300;

  /** An array in the text of a record: where it lies in memory is no part of a story. */
  private static final Pattern ARRAY = Pattern.compile("\\[[BJ]@[0-9a-f]+");

  private Frames() {}

  /** Whether it goes back on the connection that the question came by, as in the peer protocol. */
  static boolean isAnswer(PeerMessage message) {
    return message instanceof AnswerMessage
        || message instanceof NotOwnerMessage
        || message instanceof RefusalMessage
        || message instanceof LiftedMessage
        || message instanceof UsageAnswerMessage
        || message instanceof PongMessage
        || message instanceof PromiseMessage
        || message instanceof CopiedMessage
        || message instanceof TakenMessage;
  }

  /** Whether a story tells of it: what is said of views by the hundred is left out. */
  static boolean isTold(PeerMessage message) {
    return !(message instanceof ViewWordMessage);
  }

  /** The message in the words of a story. */
  static String tell(PeerMessage message) {
    if (message instanceof ViewMessage view) {
      return "view " + view.view().name();
    }
    String text = ARRAY.matcher(message.toString()).replaceAll("[...]");
    return text.length() <= MOST_CHARS ? text : text.substring(0, MOST_CHARS) + "...";
  }
}
