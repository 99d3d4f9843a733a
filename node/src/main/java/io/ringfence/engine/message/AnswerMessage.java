package io.ringfence.engine.message;

import io.ringfence.engine.LimitVerdict;
import java.util.List;

/**
 * The owner's answer to a {@link CheckMessage}.
 *
 * @param id the check's
 * @param answers one for each counter that was asked, in that order
 */
public record AnswerMessage(long id, List<LimitVerdict.Answer> answers) implements PeerMessage {

  /** Copies the answers. */
  public AnswerMessage {
    answers = List.copyOf(answers);
  }
}
