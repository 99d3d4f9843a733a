package io.ringfence.engine.message;

/**
 * One tenure of a slot: it begins when the slot is opened somewhere, and every opening has a term
 * later than all before it. So of two copies of a slot, that of the later term knows more.
 *
 * @param epoch the epoch of the view in which the slot was opened, 0 or more
 * @param step counts openings within that epoch, 0 or more
 */
public record Term(long epoch, int step) implements Comparable<Term> {
  /** Of a slot that was never open. */
  public static final Term NONE = new Term(0, 0);

  /**
   * @throws IllegalArgumentException where a number is negative
   */
  public Term {
    if (epoch < 0 || step < 0) {
      throw new IllegalArgumentException("a term is not negative: " + epoch + "." + step);
    }
  }

  /** The term of a slot that had this one and is opened anew in a view of that epoch. */
  public Term next(long viewEpoch) {
    return viewEpoch > epoch ? new Term(viewEpoch, 0) : new Term(epoch, step + 1);
  }

  /** Written out, as a view change compares the terms of all slots. */
  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof Term term && epoch == term.epoch && step == term.step);
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(epoch) + step;
  }

  @Override
  public int compareTo(Term other) {
    int order = Long.compare(epoch, other.epoch);
    return order != 0 ? order : Integer.compare(step, other.step);
  }

  @Override
  public String toString() {
    return epoch + "." + step;
  }
}
