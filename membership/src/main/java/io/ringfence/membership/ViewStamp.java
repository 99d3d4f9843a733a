package io.ringfence.membership;

/**
 * Which view a node holds, without the view itself: what status messages carry, and what a frame
 * that is valid in one view only is marked with.
 */
public record ViewStamp(Lineage lineage, ViewName name) {
  /** Whether this is a view of the same epoch and lineage, of whatever ballot. */
  public boolean isSameEpoch(ViewStamp other) {
    return lineage.equals(other.lineage) && name.epoch() == other.name.epoch();
  }

  @Override
  public String toString() {
    return name + " of lineage " + lineage;
  }
}
