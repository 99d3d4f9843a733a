package io.ringfence.engine.message;

/**
 * How much a copy of a slot knows: all that was charged up to a batch of a term.
 *
 * @param term the term in which it was written
 * @param batch the latest batch of changes that it holds, 0 or more
 */
public record Version(Term term, long batch) implements Comparable<Version> {
  /** Of a slot of which nothing is known. */
  public static final Version NONE = new Version(Term.NONE, 0);

  /**
   * @throws IllegalArgumentException where the batch is negative
   */
  public Version {
    if (batch < 0) {
      throw new IllegalArgumentException("a batch is not negative: " + batch);
    }
  }

  /** Written out, as a view change compares the versions of all slots. */
  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof Version version
            && batch == version.batch
            && term.equals(version.term));
  }

  @Override
  public int hashCode() {
    return 31 * term.hashCode() + Long.hashCode(batch);
  }

  @Override
  public int compareTo(Version other) {
    int order = term.compareTo(other.term);
    return order != 0 ? order : Long.compare(batch, other.batch);
  }

  @Override
  public String toString() {
    return term + ":" + batch;
  }
}
