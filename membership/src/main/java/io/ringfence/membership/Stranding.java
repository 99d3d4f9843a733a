package io.ringfence.membership;

/**
 * Whether a node has been without a lease for long, and its lineage has nobody else to go on.
 *
 * <p>Every voter before this node must be proven dead; of those after it some may be in sight, hold
 * the same view and no lease, and so be stranded as well. A node that does not vote needs proof of
 * the death of all. Where a voter may live where it cannot be seen nobody is stranded: that one may
 * decide.
 */
final class Stranding {
  private final MemberId self;
  private final Acquaintances known;
  private final FailureSuspicion suspicion;
  private final long aloneNanos;
  private boolean stranded; // as of the last look
  private long sinceNanos; // since when without a gap, if so

  Stranding(MemberId self, Acquaintances known, FailureSuspicion suspicion, long aloneNanos) {
    this.self = self;
    this.known = known;
    this.suspicion = suspicion;
    this.aloneNanos = aloneNanos;
  }

  /** Another view is held, or none. */
  void reset() {
    stranded = false;
  }

  /** Looks at it anew: whether it has been so for long enough to give the view up. */
  boolean isLasting(View held, boolean leased, long nowNanos) {
    boolean now = !leased && isAlone(held, nowNanos);
    if (now && !stranded) {
      sinceNanos = nowNanos;
    }
    stranded = now;
    return now && nowNanos - sinceNanos >= aloneNanos;
  }

  private boolean isAlone(View held, long nowNanos) {
    boolean beforeMe = true;
    for (Member voter : held.voters()) {
      Acquaintance a = known.get(voter.id());
      if (voter.id().equals(self)) {
        beforeMe = false;
      } else if (a == null || (!a.isDead() && (beforeMe || !isIdle(held, a, voter, nowNanos)))) {
        return false;
      }
    }
    return true;
  }

  private boolean isIdle(View held, Acquaintance a, Member voter, long nowNanos) {
    return held.stamp().equals(a.view) && !a.leased && !suspicion.isSilent(voter, nowNanos);
  }
}
