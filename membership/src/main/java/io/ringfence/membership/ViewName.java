package io.ringfence.membership;

import java.util.Comparator;

/**
 * The number of a view within its lineage: first the epoch, then the ballot that proposed it.
 *
 * <p>A ballot is a round and a proposer, as ballots of Paxos are: the high 31 bits carry the round,
 * the low 32 bits are taken from the proposer's incarnation. So two proposers never share a ballot,
 * and two views of one name are the same view. The senior of the previous view proposes in round 0;
 * whoever stands in for it, in a higher one and so above it.
 *
 * <p>Ordered by epoch, then ballot: the greater is the later.
 *
 * @param epoch at least 1; the first view of a lineage has epoch 1
 * @param ballot at least 0
 */
public record ViewName(long epoch, long ballot) implements Comparable<ViewName> {
  private static final Comparator<ViewName> ORDER =
      Comparator.comparingLong(ViewName::epoch).thenComparingLong(ViewName::ballot);
  private static final int PROPOSER_BITS = 32;
  private static final long PROPOSER_MASK = 0xffff_ffffL;

  /**
   * @throws IllegalArgumentException when the epoch is below 1 or the ballot below 0
   */
  public ViewName {
    if (epoch < 1) {
      throw new IllegalArgumentException("an epoch is at least 1, not " + epoch);
    }
    if (ballot < 0) {
      throw new IllegalArgumentException("a ballot is at least 0, not " + ballot);
    }
  }

  /**
   * The name of a view that {@code proposer} puts forward.
   *
   * @param round at least 0; 0 is kept for the senior of the previous view
   */
  public static ViewName proposed(long epoch, int round, MemberId proposer) {
    return new ViewName(
        epoch, ((long) round << PROPOSER_BITS) | (proposer.incarnation() & PROPOSER_MASK));
  }

  /** The round of the ballot, at least 0. */
  public int round() {
    return (int) (ballot >>> PROPOSER_BITS);
  }

  /** Whether this name is later than the other. */
  public boolean isAfter(ViewName other) {
    return compareTo(other) > 0;
  }

  @Override
  public int compareTo(ViewName other) {
    return ORDER.compare(this, other);
  }

  /** {@code epoch.round-proposer}, the proposer as 8 hex digits: {@code 7.0-09af3c21}. */
  @Override
  public String toString() {
    return String.format("%d.%d-%08x", epoch, ballot >>> PROPOSER_BITS, ballot & PROPOSER_MASK);
  }
}
