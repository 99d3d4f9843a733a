package io.ringfence.membership;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whom the view after the one held should list. It looks at a view and at what this node knows of
 * the others, and changes neither. There are three kinds of change, and a view makes one kind:
 *
 * <ol>
 *   <li><b>Losses</b> wait for nothing: the dead are left out, the silent are set AWAY.
 *   <li><b>Settling</b> a view in which somebody is JOINING or DRAINING: base is made target, so
 *       JOINING members become ACTIVE and DRAINING ones are left out. It waits until every present
 *       member has reported that it is done with the view held; and a JOINING one must hold a
 *       lease, or its slots would have no decider. There is no handoff yet, so a member is done
 *       when it holds the view; {@link #isDone} is where the handoff of slots will report.
 *   <li><b>Planned changes</b> wait until the view is settled: newcomers and members that are back
 *       are JOINING, those that want to leave DRAINING, new weights count.
 * </ol>
 *
 * <p>The last two also wait until nobody who has departed can hold a lease. The three kinds are not
 * mixed, so a view that parts with somebody who may hold a lease brings no newcomer. Nobody drains
 * while no other member would be left to take the slots: a flip never empties the base.
 *
 * <p>A view keeps the order of those who stay, and appends those who come, in the order of their
 * introduction. Who was away and joins again starts at the end, as a new incarnation does.
 */
final class Succession {
  private static final Logger log = LoggerFactory.getLogger(Succession.class);

  private final Introduction self;
  private final Acquaintances known;
  private final FailureSuspicion suspicion;
  private final LeaseSettings times;

  Succession(
      Introduction self, Acquaintances known, FailureSuspicion suspicion, LeaseSettings times) {
    this.self = self;
    this.known = known;
    this.suspicion = suspicion;
    this.times = times;
  }

  /** A view of these members; settled where base and target are the same. */
  static View view(Lineage lineage, ViewName name, List<Member> members) {
    boolean settled = members.stream().allMatch(m -> m.inBase() == m.state().inTarget());
    return new View(lineage, name, members, settled);
  }

  /** Whether this node is the first voter of the view that is neither dead nor silent. */
  boolean leads(View view, long nowNanos) {
    for (int place = 0; place < view.members().size(); place++) {
      Member member = view.members().get(place);
      if (member.id().equals(self.id())) {
        return member.state().votes();
      }
      if (member.state().votes()
          && !known.isDead(member.id())
          && !suspicion.agreedSilent(view, place, nowNanos)) {
        return false;
      }
    }
    return false;
  }

  /** Whether that member may lead, as far as this node hears: no voter before it is heard. */
  boolean mayLead(View view, MemberId candidate, long nowNanos) {
    for (Member member : view.members()) {
      if (member.id().equals(candidate)) {
        return true;
      }
      boolean heard = !known.isDead(member.id()) && !suspicion.isSilent(member, nowNanos);
      if (member.state().votes() && heard) {
        return false;
      }
    }
    return false;
  }

  /**
   * Whom the next view should list, or null where no change is due.
   *
   * @param mayAdd whether members may be added now, or become voters
   * @param leaving whether this node wants to leave
   */
  @Nullable List<Member> next(View held, boolean mayAdd, boolean leaving, long nowNanos) {
    List<Member> next = withoutLosses(held, nowNanos);
    if (next.equals(held.members()) && mayAdd) {
      next =
          held.settled()
              ? withPlans(held, leaving, nowNanos)
              : allAreDone(held) ? settled(held) : held.members();
    }
    boolean possible =
        next.stream().anyMatch(m -> m.state().votes()) && next.stream().anyMatch(Member::inBase);
    return possible && !next.equals(held.members()) ? next : null;
  }

  private List<Member> withoutLosses(View held, long nowNanos) {
    List<Member> next = new ArrayList<>();
    for (int place = 0; place < held.members().size(); place++) {
      Member member = held.members().get(place);
      if (member.id().equals(self.id())) {
        next.add(member);
      } else if (!known.isDead(member.id())) {
        boolean lost = member.state().isPresent() && suspicion.agreedSilent(held, place, nowNanos);
        next.add(lost ? with(member, MemberState.AWAY, false) : member);
      }
    }
    return next;
  }

  /** Which members are done with the view held, by place in it, as far as this node knows. */
  BitSet done(View held) {
    BitSet done = new BitSet();
    for (int place = 0; place < held.members().size(); place++) {
      done.set(place, isDone(held, held.members().get(place)));
    }
    return done;
  }

  private boolean allAreDone(View held) {
    BitSet done = done(held);
    for (Member member : held.members()) {
      Acquaintance a = known.get(member.id());
      if (a != null && held.stamp().equals(a.placesIn)) {
        done.or(a.done);
      }
    }
    for (int place = 0; place < held.members().size(); place++) {
      if (held.members().get(place).state().isPresent() && !done.get(place)) {
        return false;
      }
    }
    return true;
  }

  private boolean isDone(View held, Member member) {
    boolean needsLease = member.state() == MemberState.JOINING;
    if (member.id().equals(self.id())) {
      return !needsLease || suspicion.isLeased();
    }
    Acquaintance a = known.get(member.id());
    return a != null && held.stamp().equals(a.view) && (!needsLease || a.leased);
  }

  private static List<Member> settled(View held) {
    if (held.target().isEmpty()) {
      return held.members();
    }
    List<Member> next = new ArrayList<>();
    for (Member member : held.members()) {
      switch (member.state()) {
        case JOINING, ACTIVE -> next.add(with(member, MemberState.ACTIVE, true));
        case AWAY -> next.add(member);
        case DRAINING -> {
          // its slots are passed on; it has nothing more to do here
        }
      }
    }
    return next;
  }

  private List<Member> withPlans(View held, boolean leaving, long nowNanos) {
    List<Member> next = new ArrayList<>();
    List<Member> back = new ArrayList<>();
    int staying = (int) held.target().stream().filter(m -> !wantsToLeave(m, leaving)).count();
    for (Member member : held.members()) {
      if (member.state() == MemberState.AWAY) {
        if (isBack(member, nowNanos)) {
          back.add(with(withLatestFacts(member), MemberState.JOINING, false));
        } else if (!wantsToLeave(member, leaving) && !isReplaced(member, nowNanos)) {
          next.add(member);
        }
      } else if (wantsToLeave(member, leaving) && staying > 0) {
        next.add(with(member, MemberState.DRAINING, member.inBase()));
      } else {
        next.add(withLatestFacts(member));
      }
    }
    next.addAll(back);
    addNewcomers(held, next, nowNanos);
    return next;
  }

  private boolean wantsToLeave(Member member, boolean leaving) {
    if (member.id().equals(self.id())) {
      return leaving;
    }
    Acquaintance a = known.get(member.id());
    return a != null && a.leaving;
  }

  /** Whether a member that was away has held the view that we hold for the hold-down. */
  private boolean isBack(Member member, long nowNanos) {
    Acquaintance a = known.get(member.id());
    return a != null
        && a.isProven()
        && !a.leaving
        && a.everSameView
        && nowNanos - a.sameViewLastNanos < times.silenceNanos()
        && nowNanos - a.sameViewSinceNanos >= times.holdDownNanos();
  }

  /** Whether another incarnation has come for the name of a member that is away. */
  private boolean isReplaced(Member member, long nowNanos) {
    return known.listed().stream()
        .anyMatch(
            a ->
                isCandidate(a, nowNanos)
                    && a.id.name().equals(member.name())
                    && !a.id.equals(member.id()));
  }

  private boolean isCandidate(Acquaintance a, long nowNanos) {
    return a.isProven() && a.facts != null && !a.leaving && suspicion.hears(a, nowNanos);
  }

  private void addNewcomers(View held, List<Member> next, long nowNanos) {
    Map<String, Member> byName = new HashMap<>();
    next.forEach(member -> byName.put(member.name(), member));
    for (Acquaintance candidate : known.listed()) {
      Introduction facts = candidate.facts;
      if (!isCandidate(candidate, nowNanos) || facts == null || held.contains(candidate.id)) {
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
        Member joining = facts.as(MemberState.JOINING, false);
        next.add(joining);
        byName.put(joining.name(), joining);
      }
    }
  }

  private Member withLatestFacts(Member member) {
    Acquaintance a = known.get(member.id());
    Introduction facts = member.id().equals(self.id()) ? self : a == null ? null : a.facts;
    return facts == null ? member : facts.as(member.state(), member.inBase());
  }

  private static Member with(Member member, MemberState state, boolean inBase) {
    return new Member(member.id(), member.peer(), member.http(), member.weight(), state, inBase);
  }

  private static void refuse(Acquaintance candidate, String reason) {
    if (!candidate.refusalLogged) {
      candidate.refusalLogged = true;
      log.warn("{} at {} is not admitted: {}", candidate.id, candidate.peer, reason);
    }
  }
}
