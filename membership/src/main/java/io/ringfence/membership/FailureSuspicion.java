package io.ringfence.membership;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Who is silent, in this node's opinion and in that of a quorum.
 *
 * <p>Silence is never death. A silent member may be frozen, slow or cut off, and go on in a moment;
 * what follows from silence is that the member is set AWAY by a view, which it learns when it is
 * heard again. Death is proven elsewhere.
 *
 * <p><b>This node's opinion</b>: a member is silent that was not heard for two leases. So is a
 * voter that is heard but has said for that long that it holds no lease, while this node holds one:
 * it hears nobody, and decides nothing. A JOINING member has five times as long for its first.
 * While this node holds none itself, it does not blame others for theirs.
 *
 * <p><b>A quorum's opinion</b>: members tell in their pings whom they do not hear. A member counts
 * as silent in a view when a quorum of the voters, by their latest word, do not hear it. So where
 * one link is down between two healthy members nobody is set away, and views go on being made.
 *
 * <p>A node that was stopped itself has heard nobody meanwhile and holds that against nobody: see
 * {@link Acquaintances#slept}.
 */
final class FailureSuspicion {
  private static final int SILENCES_BEFORE_LEASED = 5;

  private final MemberId self;
  private final Acquaintances known;
  private final SafetyRules rules;
  private final long silenceNanos;
  private boolean leased; // whether this node holds a lease, as of the last tick
  private long leasedSinceNanos; // since when without a gap, if so

  FailureSuspicion(MemberId self, Acquaintances known, SafetyRules rules, LeaseSettings settings) {
    this.self = self;
    this.known = known;
    this.rules = rules;
    this.silenceNanos = settings.silenceNanos();
  }

  /** Time has passed. */
  void tick(boolean leasedNow, long nowNanos) {
    if (leasedNow && !leased) {
      leasedSinceNanos = nowNanos;
    }
    leased = leasedNow;
  }

  /** Whether this node holds a lease, as of the last tick. */
  boolean isLeased() {
    return leased;
  }

  /** That peer said something. */
  void heard(Acquaintance a, long nowNanos) {
    a.lastHeardNanos = nowNanos;
  }

  /** That peer told how it stands. */
  void heard(Acquaintance a, ViewWord.Ping ping, long nowNanos) {
    heard(a, nowNanos);
    a.leased = ping.leased();
    if (ping.leased()) {
      a.lastLeasedNanos = nowNanos;
    }
    a.silent = ping.silent();
    a.done = ping.done();
    a.placesIn = ping.view();
    a.silentAtNanos = nowNanos;
  }

  /** Another view is held. Nobody who is newly present in it is silent from the start. */
  void installed(@Nullable View before, View next, long nowNanos) {
    for (Member member : next.members()) {
      Acquaintance a = known.get(member.id());
      if (a == null) {
        continue;
      }
      Member earlier = before == null ? null : before.member(member.id());
      if (earlier == null || !earlier.state().isPresent()) {
        a.lastHeardNanos = nowNanos;
        a.lastLeasedNanos = nowNanos;
      }
    }
  }

  /** Whether this node has heard that peer lately. */
  boolean hears(Acquaintance a, long nowNanos) {
    return nowNanos - a.lastHeardNanos < silenceNanos;
  }

  /** Whether this node has not heard the member, or only in vain. */
  boolean isSilent(Member member, long nowNanos) {
    Acquaintance a = known.get(member.id());
    if (a == null || member.id().equals(self)) {
      return false;
    }
    long patience =
        member.state() == MemberState.JOINING
            ? SILENCES_BEFORE_LEASED * silenceNanos
            : silenceNanos;
    boolean idle =
        leased
            && nowNanos - a.lastLeasedNanos >= patience
            && nowNanos - leasedSinceNanos >= patience;
    return idle || !hears(a, nowNanos);
  }

  /** Whom this node has not heard, by place in the view. */
  BitSet silent(View view, long nowNanos) {
    BitSet silent = new BitSet();
    for (int place = 0; place < view.members().size(); place++) {
      silent.set(place, isSilent(view.members().get(place), nowNanos));
    }
    return silent;
  }

  /** Whether a quorum of the voters of the view have not heard the member at that place. */
  boolean agreedSilent(View view, int place, long nowNanos) {
    Member member = view.members().get(place);
    return rules.agreed(
        view,
        voter ->
            voter.equals(self)
                ? isSilent(member, nowNanos)
                : saysSilent(known.get(voter), view, place, nowNanos));
  }

  /** Whether a lineage goes on, as far as is known: somebody of the view holds a lease. */
  boolean isAlive(View view, long nowNanos) {
    return leased
        || view.members().stream()
            .map(member -> known.get(member.id()))
            .anyMatch(a -> a != null && goesOn(a, view.lineage(), nowNanos));
  }

  private boolean goesOn(Acquaintance a, Lineage lineage, long nowNanos) {
    return a.leased
        && a.view != null
        && a.view.lineage().equals(lineage)
        && nowNanos - a.lastLeasedNanos < silenceNanos;
  }

  private boolean saysSilent(@Nullable Acquaintance voter, View view, int place, long nowNanos) {
    return voter != null
        && view.stamp().equals(voter.placesIn)
        && voter.silent.get(place)
        && nowNanos - voter.silentAtNanos < silenceNanos;
  }
}
