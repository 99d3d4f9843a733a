package io.ringfence.engine.message;

import io.ringfence.engine.LimitVerdict;
import java.util.Arrays;
import java.util.List;

/**
 * The owner's answer to a {@link UsageMessage}.
 *
 * @param id the question's
 * @param entries the counters, at most 64
 * @param truncated whether there are more
 */
public record UsageAnswerMessage(long id, List<Entry> entries, boolean truncated)
    implements PeerMessage {

  /** Copies the entries. */
  public UsageAnswerMessage {
    entries = List.copyOf(entries);
  }

  /**
   * One counter.
   *
   * @param limitId the limit
   * @param values what it counts by, as a {@link CounterAsk} has them; not to be changed
   * @param answer what a check of cost 1 would be told
   */
  @SuppressWarnings("ArrayRecordComponent") // equality is by content, and nobody writes to it
  public record Entry(long limitId, byte[] values, LimitVerdict.Answer answer) {

    @Override
    public boolean equals(Object other) {
      return other instanceof Entry entry
          && limitId == entry.limitId
          && Arrays.equals(values, entry.values)
          && answer.equals(entry.answer);
    }

    @Override
    public int hashCode() {
      return 31 * Long.hashCode(limitId) + Arrays.hashCode(values);
    }
  }
}
