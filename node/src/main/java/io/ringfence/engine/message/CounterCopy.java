package io.ringfence.engine.message;

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
 * @param ledger who charged how much of it; of a state in stretches the first has it, and the
 *     others an empty one
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
    Ledger ledger) {
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

  /** Whether this is all of the state. */
  public boolean isWhole() {
    return words.length == total;
  }

  /** Whether the state ends with these words. */
  public boolean isLast() {
    return from + words.length == total;
  }
}
