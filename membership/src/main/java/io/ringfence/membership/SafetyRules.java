package io.ringfence.membership;

import java.util.BitSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The judgements on which it rests that no two views of one epoch both back a lease. Each is a pure
 * function. They stand together so that they can be read, and broken one by one by tests of the
 * tests, in one place.
 *
 * <p><b>Quorums.</b> Voters of a view are its ACTIVE and DRAINING members, the senior is the first
 * of them. A set of voters is a quorum if it is more than half of them, or exactly half and the
 * senior among them. The senior is meant by its id: who stands in for it does not inherit its vote.
 * Any two such sets have a voter in common. Of a set and its complement exactly one is a quorum.
 *
 * <p><b>The third quorum</b> is for the survivors of a quorum. Where the dead were one themselves,
 * the rest is none; it may go on all the same if every present member (ACTIVE, DRAINING or JOINING)
 * that is not proven dead takes part, and whoever decides holds a lease at that moment. It does not
 * meet the other quorums: the dead may have decided another view of that epoch, or several, before
 * they died. So it prepares a higher ballot first, which brings to light whatever one of the
 * survivors accepted. What is left is a view that only the dead and newcomers know. No lease can
 * rest on it: see {@link #enters}. Its newcomers find the higher ballot and adopt it.
 */
class SafetyRules {

  /** Whether so many voters of that number are a quorum. */
  boolean isQuorum(int agreeing, int voters, boolean seniorAgrees) {
    return 2 * agreeing > voters || (2 * agreeing == voters && seniorAgrees);
  }

  /** Whether those voters of the view that agree are a quorum. */
  final boolean agreed(View view, Predicate<MemberId> agrees) {
    int voters = 0;
    int agreeing = 0;
    boolean seniorAgrees = false;
    for (Member member : view.members()) {
      if (member.state().votes()) {
        boolean yes = agrees.test(member.id());
        seniorAgrees |= voters == 0 && yes;
        voters++;
        agreeing += yes ? 1 : 0;
      }
    }
    return isQuorum(agreeing, voters, seniorAgrees);
  }

  /** Whether all present members of the view agree, but for those that are proven dead. */
  boolean everySurvivorAgrees(View view, Predicate<MemberId> agrees, Predicate<MemberId> dead) {
    return view.members().stream()
        .filter(m -> m.state().isPresent())
        .map(Member::id)
        .allMatch(id -> agrees.test(id) || dead.test(id));
  }

  /**
   * Whether no view after the one held was decided by any quorum, up to a time after which these
   * said that they hold this one and have accepted no later one. Where only the dead and newcomers
   * can know one, it does not matter: no lease rests on it, see {@link #enters}.
   */
  boolean noneIsLater(View held, Predicate<MemberId> saidSo, Predicate<MemberId> dead) {
    return agreed(held, saidSo) || everySurvivorAgrees(held, saidSo, dead);
  }

  /**
   * Whether a voter answers a ping so that it counts: it names the very view that the voter holds,
   * and the voter has accepted no later one. The second is what ends the leases of a view: once a
   * quorum has accepted the next, nobody finds a quorum of answers in this one.
   *
   * @param accepted what the voter has accepted after the view that it holds, or null
   */
  boolean mayAnswer(View held, @Nullable View accepted, @Nullable ViewStamp pinged) {
    return accepted == null && held.stamp().equals(pinged);
  }

  /**
   * From when an answer counts: from the sending of its ping. The answer may have been under way
   * for long, or have waited in a process that was stopped.
   */
  long countsFrom(long pingSentNanos, long answerReceivedNanos) {
    return pingSentNanos;
  }

  /**
   * Whether a decided view is taken in place of the one held, both of one lineage. Higher ballots
   * of one epoch win, in the order of their names.
   *
   * <p>A view of a lower ballot than one that this node has accepted for the same epoch is not
   * taken if it says otherwise: this node's acceptance may have decided the higher one.
   */
  boolean supersedes(View held, @Nullable View accepted, View theirs) {
    boolean overruled =
        accepted != null
            && accepted.epoch() == theirs.epoch()
            && accepted.name().isAfter(theirs.name())
            && !Successor.of(accepted).equals(Successor.of(theirs));
    return theirs.name().isAfter(held.name()) && !overruled;
  }

  /**
   * Whether this node was present all along, so that its lease goes on in the next view, or enters
   * with it. Who enters needs an answer from <em>every</em> voter that is not proven dead, once,
   * and none of the leases that ended with the last view may run any more. Then nobody is left in
   * an earlier view who could decide differently by the third quorum.
   *
   * <p>A voter cannot have been away in between unless three views have passed: it would have come
   * back as JOINING first.
   *
   * @param held the view held before, of the same lineage, or null
   */
  boolean enters(@Nullable View held, View next, MemberId self) {
    Member before = held == null ? null : held.member(self);
    Member after = next.member(self);
    if (held == null || before == null || after == null || !before.state().isPresent()) {
      return true;
    }
    long steps = next.epoch() - held.epoch();
    boolean votesInBoth = before.state().votes() && after.state().votes();
    return !(steps <= 1 || (steps == 2 && votesInBoth));
  }

  /**
   * Whether members may be added now, or become voters: not while somebody who has departed may
   * still hold a lease, since it could go on by the third quorum and not know of them.
   */
  boolean mayAdd(boolean departedMayHoldLease) {
    return !departedMayHoldLease;
  }

  /**
   * Whether the view after the one held may be settled: every present member has said of itself
   * that it is done with the view held, so every slot is open at its owner and copied.
   *
   * @param done who is done with the view held, by place in it
   */
  boolean maySettle(View held, BitSet done) {
    for (int place = 0; place < held.members().size(); place++) {
      if (held.members().get(place).state().isPresent() && !done.get(place)) {
        return false;
      }
    }
    return true;
  }
}
