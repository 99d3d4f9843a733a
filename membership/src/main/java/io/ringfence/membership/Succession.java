package io.ringfence.membership;

import io.ringfence.membership.Acquaintance.Standing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What follows a view: who may propose the next one, and whom it should list. It looks at a view
 * and at what this node knows of the others, and changes neither.
 *
 * <p>The proposer is the first voter that is not gone. It proposes only while it sees enough of the
 * voters: more than half of them; or half with the senior among them; or, however few, when every
 * missing one has ended for certain. So a node that discovery has cut off from the others, or that
 * wakes up as a cluster of its own, makes no views by itself. These are the quorums of the agreed
 * protocol, judged by sight.
 *
 * <p>The next view keeps the order of those who stay and appends those who come, in the order of
 * their introduction. A new incarnation therefore starts at the end, whatever place the old one
 * had.
 */
final class Succession {
  private static final Logger log = LoggerFactory.getLogger(Succession.class);

  private final Introduction self;
  private final Acquaintances known;
  private final long absenceNanos;

  Succession(Introduction self, Acquaintances known, long absenceNanos) {
    this.self = self;
    this.known = known;
    this.absenceNanos = absenceNanos;
  }

  /** Who may propose the view after this one: the first voter not gone; null if all are. */
  @Nullable MemberId proposer(View view, long nowNanos) {
    for (Member voter : view.voters()) {
      if (!isGone(voter, nowNanos)) {
        return voter.id();
      }
    }
    return null;
  }

  /** Whether this node sees enough of the view's voters to propose the next one. */
  boolean seesQuorum(View view, long nowNanos) {
    List<Member> voters = view.voters();
    int seen = 0;
    int missing = 0;
    for (Member voter : voters) {
      if (!isGone(voter, nowNanos)) {
        seen++;
      } else if (!known.hasEnded(voter.id())) {
        missing++;
      }
    }
    boolean seniorSeen = !isGone(view.senior(), nowNanos);
    return missing == 0 || 2 * seen > voters.size() || (2 * seen == voters.size() && seniorSeen);
  }

  /**
   * The round in which this node proposes: 0 for the senior, otherwise its place among the voters,
   * so that a stand-in is above everyone whom it stands in for.
   */
  int round(View view) {
    List<Member> voters = view.voters();
    for (int i = 0; i < voters.size(); i++) {
      if (voters.get(i).id().equals(self.id())) {
        return i;
      }
    }
    throw new IllegalStateException(self.id() + " does not vote in " + view);
  }

  /** Whom the next view should list; equal to the view's own members when nothing has changed. */
  List<Member> nextMembers(View view, long nowNanos) {
    List<Member> next = new ArrayList<>();
    Map<String, Member> byName = new HashMap<>();
    for (Member member : view.members()) {
      if (member.id().equals(self.id()) || !isGone(member, nowNanos)) {
        Member current = withLatestFacts(member);
        next.add(current);
        byName.put(current.name(), current);
      }
    }
    for (Acquaintance candidate : known.listed()) {
      Introduction facts = candidate.facts;
      if (candidate.standing != Standing.PROVEN || facts == null) {
        continue;
      }
      Member holder = byName.get(facts.id().name());
      if (holder != null) {
        if (!holder.id().equals(facts.id())) {
          refuse(candidate, "its name belongs to " + holder.id() + ", which is not gone");
        }
      } else if (next.size() >= View.MAX_MEMBERS) {
        refuse(candidate, "the view is full with " + View.MAX_MEMBERS + " members");
      } else {
        Member joined = facts.as(MemberState.ACTIVE, true);
        next.add(joined);
        byName.put(joined.name(), joined);
      }
    }
    return next;
  }

  private boolean isGone(Member member, long nowNanos) {
    return !member.id().equals(self.id()) && known.isGone(member.id(), absenceNanos, nowNanos);
  }

  private Member withLatestFacts(Member member) {
    if (member.id().equals(self.id())) {
      return self.as(member.state(), member.inBase());
    }
    Acquaintance a = known.get(member.id());
    return a == null || a.facts == null ? member : a.facts.as(member.state(), member.inBase());
  }

  private static void refuse(Acquaintance candidate, String reason) {
    if (!candidate.refusalLogged) {
      candidate.refusalLogged = true;
      log.warn("{} at {} is not admitted: {}", candidate.id, candidate.peer, reason);
    }
  }
}
