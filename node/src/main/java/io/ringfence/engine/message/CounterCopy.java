package io.ringfence.engine.message;

import java.util.List;

/**
 * One counter as it stands, or a stretch of one that is too long for a message.
 *
 * @param limitId which limit
 * @param values by what it counts, as the owner's key has them
 * @param algorithm the place of its algorithm in the message's list
 * @param account on whose account it takes room, 0 to 1,023
 * @param toldNanos for how long yet other members remember that it denies, 0 or more
 * @param from the place of the first of these words in the whole state, 0 or more
 * @param total how many words the whole state has, 0 or more
 * @param words the words from there on, as the algorithm's snapshot wrote them; ages count from the
 *     receipt. Not to be changed after it was given
 * @param debits which debits of others it has taken lately, so that none is taken twice; of a state
 *     in stretches the first has them all
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record CounterCopy(
    long limitId,
    byte[] values,
    int algorithm,
    int account,
    long toldNanos,
    int from,
    int total,
    long[] words,
    List<Debited> debits) {
  /** The most debits that a counter remembers. */
  public static final int MAX_DEBITS = 64;

  /** The most words in one stretch. */
  public static final int MAX_WORDS = 1 << 15;

  /** The most words of a state: the largest log. */
  public static final int MAX_TOTAL = 1 << 23;

  /** The most accounts. */
  public static final int MAX_ACCOUNT = (1 << 10) - 1;

  /**
   * @throws IllegalArgumentException where a number is out of its range
   */
  public CounterCopy {
    debits = List.copyOf(debits);
    if (debits.size() > MAX_DEBITS) {
      throw new IllegalArgumentException(debits.size() + " debits, at most " + MAX_DEBITS);
    }
    if (algorithm < 0 || account < 0 || account > MAX_ACCOUNT || toldNanos < 0) {
      throw new IllegalArgumentException(
          "algorithm " + algorithm + ", account " + account + " or told " + toldNanos);
    }
    if (total < 0
        || total > MAX_TOTAL
        || words.length > MAX_WORDS
        || from < 0
        || from > total - words.length) {
      throw new IllegalArgumentException(
          "words " + from + " to " + (from + words.length) + " of " + total);
    }
  }

  /**
   * A debit that was taken.
   *
   * @param request which
   * @param ageNanos how long ago, 0 or more
   */
  public record Debited(RequestKey request, long ageNanos) {

    /**
     * @throws IllegalArgumentException where the age is negative
     */
    public Debited {
      if (ageNanos < 0) {
        throw new IllegalArgumentException("an age is not negative: " + ageNanos);
      }
    }
  }

  /** Whether this is all of the state. */
  public boolean isWhole() {
    return words.length == total;
  }

  /** Whether the state ends with these words. */
  public boolean isLast() {
    return from + words.length == total;
  }
}
