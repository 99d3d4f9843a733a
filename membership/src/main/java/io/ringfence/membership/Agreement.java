package io.ringfence.membership;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * This node's part in deciding which view follows the one it holds, by single-decree Paxos among
 * the voters of that view.
 *
 * <p><b>Acceptors</b> are all present members; the answers of voters make quorums, those of JOINING
 * members are needed where the survivors of a dead quorum decide. <b>Proposers</b> are the senior,
 * whose first ballot needs no prepare as there is no lower one, and whoever stands in for it, in
 * higher rounds. A member promises nothing to a stand-in while it hears a voter that comes before
 * it, so that proposers do not outbid each other. <b>Learners</b> are all present members: whoever
 * accepts tells all of them. A member that only comes with the next view cannot judge its
 * acceptance, as it does not know whose; it is told the decided view, or asks for it.
 *
 * <p>An attempt that is not decided in time is followed by one of a higher round. A round is used
 * once in an epoch, also where this node holds two views of an epoch one after the other, so that
 * two views of one name are the same view.
 *
 * <p>What was accepted and not decided stays in the way: who has accepted it answers no pings. So
 * acceptors tell it again and again, and the first voter that is within reach finishes it even if
 * it wants no change itself.
 *
 * <p>All that this node begins and concludes of its own accord it does in {@link #step}.
 */
final class Agreement {
  /** The first attempt is given up for a higher round after so many resends, the next later. */
  private static final int FEWEST_RESENDS = 2;

  private static final int MOST_RESENDS = 10;

  /**
   * An attempt's words are sent so many times a resend: survivors have to decide before their
   * leases lapse, and may refuse at first what they agree to once they have the proofs themselves.
   */
  private static final int SENDINGS_PER_RESEND = 4;

  private final MemberId self;
  private final SafetyRules rules;
  private final ViewActions actions;
  private final long resendNanos;
  private final Acceptor acceptor = new Acceptor();
  private final Tally tally = new Tally();

  private @Nullable View held;
  private @Nullable Attempt attempt; // null unless this node proposes
  private int nextRound; // no round below it may be used in the epoch after `held`
  private boolean unfinished; // whether something accepted by somebody waits to be decided
  private long unfinishedSinceNanos; // since when, if so
  private long nextRepeatNanos;

  /**
   * How things stand at one step.
   *
   * @param leads whether this node is the first voter within reach, and so is to propose
   * @param wanted what the next view should say; null where no change is due
   * @param leased whether this node holds a lease
   * @param dead who is proven dead
   */
  record Standing(
      boolean leads, @Nullable Successor wanted, boolean leased, Predicate<MemberId> dead) {}

  Agreement(MemberId self, SafetyRules rules, ViewActions actions, long resendNanos) {
    this.self = self;
    this.rules = rules;
    this.actions = actions;
    this.resendNanos = resendNanos;
  }

  /** Another view is held, or none. */
  void hold(@Nullable View view) {
    View before = held;
    boolean sameEpoch = before != null && view != null && before.stamp().isSameEpoch(view.stamp());
    held = view;
    attempt = null;
    unfinished = false;
    acceptor.reset();
    tally.reset();
    nextRound = sameEpoch ? nextRound : 0;
  }

  /** The view that this node has accepted after the one it holds, or null. */
  @Nullable View accepted() {
    return acceptor.accepted();
  }

  /** Whether this node proposes the view of that name. */
  boolean isProposing(ViewName name) {
    Attempt current = attempt;
    return current != null && current.name().equals(name);
  }

  /**
   * A member asks for a promise.
   *
   * @param mayLead whether this node hears no voter that comes before that member
   */
  void prepare(MemberId from, ViewWord.Prepare prepare, boolean mayLead) {
    View base = baseOf(prepare.base(), from);
    if (base == null) {
      return;
    }
    ViewName name = new ViewName(base.epoch() + 1, prepare.ballot());
    nextRound = Math.max(nextRound, name.round() + 1);
    if (mayLead && acceptor.promise(prepare.ballot())) {
      ViewWord promise = new ViewWord.Promise(base.stamp(), prepare.ballot(), acceptor.accepted());
      actions.say(promise, List.of(from));
    }
  }

  /** A member promises. */
  void promise(MemberId from, ViewWord.Promise promise) {
    Attempt current = attempt;
    if (baseOf(promise.base(), from) != null
        && current != null
        && current.proposed() == null
        && current.name().ballot() == promise.ballot()) {
      current.promised(from, promise.accepted());
    }
  }

  /** A member proposes. */
  void propose(MemberId from, ViewWord.Propose propose) {
    View base = baseOf(propose.base(), from);
    View view = propose.view();
    if (base == null
        || !view.lineage().equals(base.lineage())
        || view.epoch() != base.epoch() + 1) {
      return;
    }
    nextRound = Math.max(nextRound, view.name().round() + 1);
    accept(base, view);
  }

  /** A member has accepted. */
  void accepted(MemberId from, ViewWord.Accepted accepted) {
    View base = baseOf(accepted.base(), from);
    if (base != null && accepted.name().epoch() == base.epoch() + 1) {
      nextRound = Math.max(nextRound, accepted.name().round() + 1);
      tally.accepted(from, accepted.name());
    }
  }

  /** Goes on, and tells which view is decided now, if one is. */
  @Nullable View step(Standing standing, long nowNanos) {
    View base = held;
    if (base == null) {
      return null;
    }
    noteUnfinished(nowNanos);
    if (standing.leads()) {
      lead(base, standing, nowNanos);
    } else {
      attempt = null;
    }
    View decided = tally.decided(base, rules);
    return decided != null ? decided : decidedBySurvivors(base, standing);
  }

  private void noteUnfinished(long nowNanos) {
    boolean now = tally.anything();
    if (now && !unfinished) {
      unfinishedSinceNanos = nowNanos;
    }
    unfinished = now;
    View mine = acceptor.accepted();
    View base = held;
    if (mine != null && base != null && nowNanos - nextRepeatNanos >= 0) {
      tellAccepted(base, mine);
      nextRepeatNanos = nowNanos + resendNanos;
    }
  }

  private void lead(View base, Standing standing, long nowNanos) {
    Attempt current = attempt;
    if (current == null) {
      boolean abandoned = unfinished && nowNanos - unfinishedSinceNanos >= resendNanos;
      if (standing.wanted() != null || abandoned) {
        begin(base, standing, nowNanos);
      }
    } else if (current.isOlderThan(patienceNanos(current), nowNanos)
        || (!current.prepares() && onlySurvivors(base, standing))) {
      begin(base, standing, nowNanos);
    }
    if (attempt != null) {
      advance(base, attempt, standing, nowNanos);
    }
  }

  private long patienceNanos(Attempt current) {
    return Math.min(MOST_RESENDS, FEWEST_RESENDS + current.name().round()) * resendNanos;
  }

  /** Whether the voters that are not proven dead are no quorum, so that only they can go on. */
  private boolean onlySurvivors(View base, Standing standing) {
    return standing.leased() && !rules.agreed(base, standing.dead().negate());
  }

  private void begin(View base, Standing standing, long nowNanos) {
    boolean first =
        nextRound == 0
            && acceptor.isFree()
            && base.senior().id().equals(self)
            && standing.wanted() != null;
    int round = first ? 0 : Math.max(1, nextRound);
    nextRound = round + 1;
    ViewName name = ViewName.proposed(base.epoch() + 1, round, self);
    attempt = new Attempt(base, name, standing.wanted(), !first, nowNanos);
  }

  private void advance(View base, Attempt current, Standing standing, long nowNanos) {
    if (current.prepares() && current.proposed() == null) {
      if (acceptor.promise(current.name().ballot())) {
        current.promised(self, acceptor.accepted());
      }
      if (!rules.agreed(base, current::hasPromised)
          && !survivorsAgree(base, standing, current::hasPromised)) {
        if (current.mustSend(resendNanos / SENDINGS_PER_RESEND, nowNanos)) {
          say(new ViewWord.Prepare(base.stamp(), current.name().ballot()), base);
        }
        return;
      }
    }
    if (current.proposed() == null) {
      current.sendAtOnce(nowNanos);
    }
    View view = current.proposed() == null ? current.propose() : current.proposed();
    if (view == null) {
      attempt = null; // those who promised have accepted nothing
      unfinishedSinceNanos = nowNanos;
      return;
    }
    if (current.mustSend(resendNanos / SENDINGS_PER_RESEND, nowNanos)) {
      say(new ViewWord.Propose(base.stamp(), view), base);
      accept(base, view);
    }
  }

  private @Nullable View decidedBySurvivors(View base, Standing standing) {
    Attempt current = attempt;
    if (current == null || !current.prepares() || current.proposed() == null) {
      return null;
    }
    boolean decided = survivorsAgree(base, standing, id -> tally.hasAccepted(id, current.name()));
    return decided ? current.proposed() : null;
  }

  private boolean survivorsAgree(View base, Standing standing, Predicate<MemberId> agrees) {
    return standing.leased() && rules.everySurvivorAgrees(base, agrees, standing.dead());
  }

  private void accept(View base, View view) {
    tally.proposed(view);
    if (acceptor.accept(view)) {
      tally.accepted(self, view.name());
      tellAccepted(base, view);
    }
  }

  private void tellAccepted(View base, View view) {
    say(new ViewWord.Accepted(base.stamp(), view.name()), base);
  }

  /** To all others that are present in the view held. */
  private void say(ViewWord word, View base) {
    Collection<MemberId> others = new ArrayList<>();
    for (Member member : base.members()) {
      if (member.state().isPresent() && !member.id().equals(self)) {
        others.add(member.id());
      }
    }
    if (!others.isEmpty()) {
      actions.say(word, others);
    }
  }

  /** The view held, if that is the base named, and both the sender and this node are present. */
  private @Nullable View baseOf(ViewStamp named, MemberId from) {
    View base = held;
    if (base == null || !base.stamp().equals(named)) {
      return null;
    }
    return isPresent(base, from) && isPresent(base, self) ? base : null;
  }

  private static boolean isPresent(View view, MemberId id) {
    Member member = view.member(id);
    return member != null && member.state().isPresent();
  }
}
