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
 * What the view after the one held should say. It looks at a view and at what this node knows of
 * itself and the others. There are three kinds of change, and a view makes one kind:
 *
 * <ol>
 *   <li><b>Losses</b> wait for nothing: the dead are left out, the silent are set AWAY.
 *   <li><b>Settling</b> any view that is not settled: base is made target, so JOINING members
 *       become ACTIVE and DRAINING ones are left out; after losses alone the members stay as they
 *       are. It waits until every present member is done with the view held.
 *   <li><b>Planned changes</b> wait until the view is settled: newcomers and members that are back
 *       are JOINING, those that want to leave DRAINING, new weights count in the target.
 * </ol>
 *
 * <p>The last two also wait until nobody who has departed can hold a lease. The three kinds are not
 * mixed, so a view that parts with somebody who may hold a lease brings no newcomer. Nobody drains
 * while no other member would be left to take the slots: a flip never empties the base.
 *
 * <p><b>Settled</b> is what a view of the second kind is, and nothing else: after losses and
 * planned changes slots have to be opened and backups filled, even where base and target are the
 * same. There is one exception. Where members are left out of a settled view that were AWAY in it,
 * proven dead by now, the next is settled as well: they were in neither ring, so every slot keeps
 * the owner and the backup that it has, and a death alone makes nobody's permission longer.
 *
 * <p><b>Done</b> with a view is a member when all its slots are where they belong in it. Each says
 * so of itself, in its pings, and passes on what it heard of others, so that it is known also where
 * links are down. A JOINING member says it only while it holds a lease, or its slots would have no
 * decider. What was said stays true for as long as the view is held.
 *
 * <p>A view keeps the order of those who stay, and appends those who come, in the order of their
 * introduction. Who was away and joins again starts at the end, as a new incarnation does.
 *
 * <p>A <b>weight</b> is each member's own to say, in its pings: so calls of several operators meet
 * at one place, whoever proposes knows the latest, and the word ends with the process. A new
 * incarnation begins with what it is configured to have. The new weight counts in the target from
 * the next planned change on, and in the base once the slots are where it has them.
 */
final class Succession {
  private static final Logger log = LoggerFactory.getLogger(Succession.class);

  private final Introduction self;
  private final Acquaintances known;
  private final FailureSuspicion suspicion;
  private final SafetyRules rules;
  private final LeaseSettings times;
  private boolean slotsAreDone; // whether this node's slots are where the view held has them
  private int weight; // that this node is to have, 1..100

  Succession(
      Introduction self,
      Acquaintances known,
      FailureSuspicion suspicion,
      SafetyRules rules,
      LeaseSettings times) {
    this.self = self;
    this.known = known;
    this.suspicion = suspicion;
    this.rules = rules;
    this.times = times;
    this.weight = self.weight();
  }

  /** The weight that this node is to have. */
  int weight() {
    return weight;
  }

  /**
   * This node is to have that weight.
   *
   * @return whether that is news
   */
  boolean weigh(int newWeight) {
    Member.requireWeight(newWeight);
    boolean news = newWeight != weight;
    weight = newWeight;
    return news;
  }

  /** Another view is held, or none: nothing is done in it yet. */
  void reset() {
    slotsAreDone = false;
  }

  /**
   * All slots of this node are where the view held has them.
   *
   * @return whether that is news
   */
  boolean slotsAreDone() {
    boolean news = !slotsAreDone;
    slotsAreDone = true;
    return news;
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
   * What the next view should say, or null where no change is due.
   *
   * @param mayAdd whether members may be added now, or become voters
   * @param leaving whether this node wants to leave
   */
  @Nullable Successor next(View held, boolean mayAdd, boolean leaving, long nowNanos) {
    Successor now = Successor.of(held);
    Successor next = afterLosses(held, nowNanos);
    if (next.equals(now) && mayAdd) {
      next = held.settled() ? planned(held, leaving, nowNanos) : settled(held);
    }
    return next.isPossible() && !next.equals(now) ? next : null;
  }

  private Successor afterLosses(View held, long nowNanos) {
    List<Member> next = withSomeTarget(withoutLosses(held, nowNanos));
    return new Successor(next, held.settled() && present(next).equals(present(held.members())));
  }

  /**
   * Slots must go somewhere: where all that are left are draining, they go on, and leave when
   * somebody has come.
   */
  private static List<Member> withSomeTarget(List<Member> members) {
    if (members.stream().anyMatch(m -> m.state().inTarget())) {
      return members;
    }
    return members.stream()
        .map(m -> m.state() == MemberState.DRAINING ? m.as(MemberState.ACTIVE, m.baseWeight()) : m)
        .toList();
  }

  private static List<Member> present(List<Member> members) {
    return members.stream().filter(m -> m.state().isPresent()).toList();
  }

  private List<Member> withoutLosses(View held, long nowNanos) {
    List<Member> next = new ArrayList<>();
    for (int place = 0; place < held.members().size(); place++) {
      Member member = held.members().get(place);
      if (member.id().equals(self.id())) {
        next.add(member);
      } else if (!known.isDead(member.id())) {
        boolean lost = member.state().isPresent() && suspicion.agreedSilent(held, place, nowNanos);
        next.add(lost ? member.as(MemberState.AWAY, 0) : member);
      }
    }
    return next;
  }

  /** Who is done with the view held, by place in it, as far as this node has heard. */
  BitSet done(View held) {
    BitSet done = new BitSet();
    for (int place = 0; place < held.members().size(); place++) {
      Member member = held.members().get(place);
      Acquaintance a = known.get(member.id());
      if (member.id().equals(self.id())) {
        if (slotsAreDone && (member.state() != MemberState.JOINING || suspicion.isLeased())) {
          done.set(place);
        }
      } else if (a != null && held.stamp().equals(a.placesIn)) {
        done.or(a.done);
      }
    }
    return done;
  }

  private Successor settled(View held) {
    if (held.target().isEmpty() || !rules.maySettle(held, done(held))) {
      return Successor.of(held);
    }
    List<Member> next = new ArrayList<>();
    for (Member member : held.members()) {
      switch (member.state()) {
        case JOINING, ACTIVE -> next.add(member.as(MemberState.ACTIVE, member.weight()));
        case AWAY -> next.add(member);
        case DRAINING -> {
          // its slots are passed on; it has nothing more to do here
        }
      }
    }
    return new Successor(next, true);
  }

  private Successor planned(View held, boolean leaving, long nowNanos) {
    List<Member> next = withPlans(held, leaving, nowNanos);
    return new Successor(next, next.equals(held.members()));
  }

  private List<Member> withPlans(View held, boolean leaving, long nowNanos) {
    List<Member> next = new ArrayList<>();
    List<Member> back = new ArrayList<>();
    int staying = (int) held.target().stream().filter(m -> !wantsToLeave(m, leaving)).count();
    for (Member member : held.members()) {
      if (member.state() == MemberState.AWAY) {
        if (isBack(member, nowNanos)) {
          back.add(withLatestFacts(member).as(MemberState.JOINING, 0));
        } else if (!wantsToLeave(member, leaving) && !isReplaced(member, nowNanos)) {
          next.add(member);
        }
      } else if (wantsToLeave(member, leaving) && staying > 0) {
        next.add(member.as(MemberState.DRAINING, member.baseWeight()));
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
    boolean isSelf = member.id().equals(self.id());
    Introduction facts = isSelf ? self : a == null ? null : a.facts;
    int said = isSelf ? weight : a == null ? 0 : a.weight;
    return facts == null
        ? member
        : new Member(
            member.id(),
            facts.peer(),
            facts.http(),
            said == 0 ? member.weight() : said,
            member.state(),
            member.baseWeight());
  }

  private static void refuse(Acquaintance candidate, String reason) {
    if (!candidate.refusalLogged) {
      candidate.refusalLogged = true;
      log.warn("{} at {} is not admitted: {}", candidate.id, candidate.peer, reason);
    }
  }
}
