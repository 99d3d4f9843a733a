package io.ringfence.membership;

import java.util.List;

/**
 * Whether a node without a view may start a lineage.
 *
 * <p>It does so only when it finds none: no proven candidate holds a view, no proven candidate was
 * introduced earlier (that one starts instead), and every other candidate has been refused, is
 * dead, or has used up its patience. A stranger can so delay a start, by a bounded time, and cannot
 * prevent it.
 *
 * <p>A node that gave up a view, or saw one that does not list it, knows that others were there. It
 * first gives whoever holds a later view the same time to add it, and waits for every candidate
 * that is silent, however long: it may be cut off from a cluster that goes on. Only if it gave its
 * view up as every other voter is dead, it does neither.
 */
final class Founding {
  private final Acquaintances known;
  private final long patienceNanos;
  private boolean waiting; // whether sinceNanos counts
  private long sinceNanos; // since when this node has been without a view
  private boolean abandoned; // whether nobody is left who could hold a later view

  Founding(Acquaintances known, long patienceNanos) {
    this.known = known;
    this.patienceNanos = patienceNanos;
  }

  /** This node holds a view. */
  void hasView() {
    waiting = false;
    abandoned = false;
  }

  /** This process was stopped for so long; that is not a time that it has waited. */
  void slept(long nanos) {
    sinceNanos += nanos;
  }

  /** This node has given up its view, as nobody else is left. */
  void isAbandoned() {
    abandoned = true;
  }

  /**
   * Whether a lineage may be started now, without a view.
   *
   * @param sawView whether this node has held a view, or seen one, before
   */
  boolean isDue(boolean sawView, long nowNanos) {
    if (!known.introduced()) {
      return false;
    }
    if (!waiting) {
      waiting = true;
      sinceNanos = nowNanos;
    }
    boolean expected = sawView && !abandoned;
    if ((expected && nowNanos - sinceNanos < patienceNanos) || known.anyHoldsView()) {
      return false;
    }
    List<Acquaintance> listed = known.listed();
    for (int i = 0; i < listed.size(); i++) {
      Acquaintance candidate = listed.get(i);
      boolean inOurWay =
          switch (candidate.standing) {
            case PROVEN -> known.isOlderThanSelf(i) && !candidate.leaving;
            case INTRODUCED, SILENT -> expected || mayStillProve(candidate, nowNanos);
            case STRANGER, DEAD -> false;
          };
      if (inOurWay) {
        return false;
      }
    }
    return true;
  }

  /** Patience counts per candidate, and in total twice, however many keep turning up. */
  private boolean mayStillProve(Acquaintance candidate, long nowNanos) {
    return nowNanos - candidate.owesProofSinceNanos < patienceNanos
        && nowNanos - sinceNanos < 2 * patienceNanos;
  }
}
