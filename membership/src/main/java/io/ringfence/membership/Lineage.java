package io.ringfence.membership;

import java.util.Comparator;

/**
 * The family of views that descend from one first view. Epochs are comparable only within a
 * lineage. Two lineages come to be when nodes start without seeing each other; when they meet, one
 * gives way.
 *
 * <p>The order is that of precedence: the lineage that comes first wins. It is the one that was
 * larger at birth, and among equals the one with the lower id (as a signed number).
 *
 * <p>A lineage that an operator had a node start, beside one that may go on elsewhere, counts as
 * born with nobody: it gives way to that one.
 *
 * @param sizeAtBirth how many members its first view had, 1 to 1,024; 0 by an operator's wish
 * @param id any 64 bits, drawn at random at birth
 */
public record Lineage(int sizeAtBirth, long id) implements Comparable<Lineage> {
  private static final Comparator<Lineage> PRECEDENCE =
      Comparator.comparingInt(Lineage::sizeAtBirth).reversed().thenComparingLong(Lineage::id);

  /**
   * @throws IllegalArgumentException when the size is outside 0..1,024
   */
  public Lineage {
    if (sizeAtBirth < 0 || sizeAtBirth > View.MAX_MEMBERS) {
      throw new IllegalArgumentException(
          "a lineage is born with 0.." + View.MAX_MEMBERS + " members, not " + sizeAtBirth);
    }
  }

  /** Whether this lineage stays and the other gives way when they meet. */
  public boolean winsOver(Lineage other) {
    return compareTo(other) < 0;
  }

  @Override
  public int compareTo(Lineage other) {
    return PRECEDENCE.compare(this, other);
  }

  /** The id as 16 hex digits, a slash and the size at birth. */
  @Override
  public String toString() {
    return String.format("%016x/%d", id, sizeAtBirth);
  }
}
