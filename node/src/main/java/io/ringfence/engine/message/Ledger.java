package io.ringfence.engine.message;

import java.util.List;

/**
 * What a copy of a counter tells beside its state: who charged how much of it. Whoever decides next
 * holds that against what processes before it claim to have charged.
 *
 * @param charged units charged in the term of the copy, on a count that only grows within a term
 * @param earlier what was charged in earlier terms, the latest first
 * @param debits which debits of others it has taken lately, so that none is taken twice
 */
public record Ledger(long charged, List<ChargedIn> earlier, List<Debited> debits) {
  /** Nothing was charged or debited. */
  public static final Ledger EMPTY = new Ledger(0, List.of(), List.of());

  /** The most earlier terms that a counter remembers. */
  public static final int MAX_EARLIER = 4;

  /** The most debits that a counter remembers. */
  public static final int MAX_DEBITS = 64;

  /**
   * @throws IllegalArgumentException where a list is too long or a number negative
   */
  public Ledger {
    earlier = List.copyOf(earlier);
    debits = List.copyOf(debits);
    if (charged < 0 || earlier.size() > MAX_EARLIER || debits.size() > MAX_DEBITS) {
      throw new IllegalArgumentException(
          "%d charged, %d earlier terms, %d debits"
              .formatted(charged, earlier.size(), debits.size()));
    }
  }

  /**
   * Charges of one term.
   *
   * @param term the term
   * @param units 1 or more, on that term's count
   */
  public record ChargedIn(Term term, long units) {

    /**
     * @throws IllegalArgumentException where nothing was charged
     */
    public ChargedIn {
      if (units < 1) {
        throw new IllegalArgumentException("units must be 1 or more, not " + units);
      }
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
}
