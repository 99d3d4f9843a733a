package io.ringfence.membership;

import org.jspecify.annotations.Nullable;

/**
 * What peers say of the views that they hold. A name is not believed, whoever says it: it is a
 * reason to ask for the view, no more, if that may be better than the one held.
 */
final class Hearsay {
  private final LineageMeeting lineages;
  private final FailureSuspicion suspicion;
  private final ViewActions actions;
  private final long resendNanos;
  private final LeaseSettings times;

  Hearsay(
      LineageMeeting lineages,
      FailureSuspicion suspicion,
      ViewActions actions,
      long resendNanos,
      LeaseSettings times) {
    this.lineages = lineages;
    this.suspicion = suspicion;
    this.actions = actions;
    this.resendNanos = resendNanos;
    this.times = times;
  }

  /**
   * A peer says which view it holds.
   *
   * @param theirs the stamp of that view, or null where it holds none
   * @param held the view that this node holds, or null
   */
  void holds(Acquaintance peer, @Nullable ViewStamp theirs, @Nullable View held, long nowNanos) {
    peer.view = theirs;
    if (theirs == null) {
      return;
    }
    if (held != null && held.stamp().equals(theirs)) {
      holdsTheSame(peer, nowNanos);
    } else if (mayBeBetter(held, theirs, peer, nowNanos) && nowNanos - peer.nextFetchNanos >= 0) {
      peer.nextFetchNanos = nowNanos + resendNanos;
      actions.fetch(peer.id);
    }
  }

  private void holdsTheSame(Acquaintance peer, long nowNanos) {
    boolean gap = !peer.everSameView || nowNanos - peer.sameViewLastNanos >= times.silenceNanos();
    peer.sameViewSinceNanos = gap ? nowNanos : peer.sameViewSinceNanos;
    peer.sameViewLastNanos = nowNanos;
    peer.everSameView = true;
  }

  private boolean mayBeBetter(
      @Nullable View held, ViewStamp theirs, Acquaintance peer, long nowNanos) {
    if (held == null) {
      return lineages.isNews(theirs);
    }
    return held.lineage().equals(theirs.lineage())
        ? theirs.name().isAfter(held.name())
        : lineages.givesWay(
            held.lineage(), suspicion.isAlive(held, nowNanos), theirs.lineage(), peer.leased);
  }
}
