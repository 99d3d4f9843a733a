package io.ringfence.engine.message;

/**
 * Where charges come from that whoever decided before claims late, on the count of units of its
 * term. It claims those after {@code known}; which of them were copied although no acknowledgement
 * came back, only the receiver can tell.
 *
 * @param term the term in which they were charged
 * @param from where the count stood when the counter was last as good as new, 0 or more
 * @param known where it stood when the sender last knew that it was copied, no less than that; the
 *     same where nothing was
 */
public record Late(Term term, long from, long known) {

  /**
   * @throws IllegalArgumentException where the numbers do not ascend from 0
   */
  public Late {
    if (from < 0 || known < from) {
      throw new IllegalArgumentException("known must be from " + from + ", not " + known);
    }
  }
}
