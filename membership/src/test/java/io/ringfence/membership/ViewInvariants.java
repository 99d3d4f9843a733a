package io.ringfence.membership;

import io.ringfence.membership.SimulatedCluster.Node;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What must hold at every instant of a simulated run, whatever happens in it.
 *
 * <ol>
 *   <li>A node is in the view that it holds, and names within a lineage never go back on it.
 *   <li>Two views of one name are the same view.
 *   <li>The views of any two leases of one lineage lie on one line of descent. So never two views
 *       of one epoch that say different things both back a lease.
 *   <li>When a node with a lease concludes that nobody who departed from its view can hold a lease
 *       any more, nobody outside its view does.
 *   <li>Leases of two lineages never run at one time, unless the lineages came to be where nobody
 *       saw the other: on islands, or because a survivor was sure that nobody else was left.
 *   <li>Nobody comes with a view, or becomes a voter by it, while somebody who is not present in
 *       the view before holds a lease from earlier.
 *   <li>The first view of a lineage that a process holds, unless it founds it, lists it as JOINING
 *       or AWAY.
 *   <li>When a node with a lease concludes that nobody who departed may decide any more, whoever is
 *       AWAY in its view holds no lease from earlier, and whoever it does not list holds one at
 *       most in the view in which it drained.
 *   <li>A view is settled only if the one before was, with the same present members, or every
 *       present member of that had reported that it is done with it.
 *   <li>The base of a settled view is the target of the one before, weights and all; that of any
 *       other view is the base of the one before, without those who were lost.
 *   <li>When a node knows in which view a member died, that never held a later one, unless nobody
 *       with a lease does so either.
 * </ol>
 *
 * <p>A frozen process holds its lease as long as any: it goes on in the middle of a decision, and
 * only then looks at its clock.
 */
final class ViewInvariants {
  private final SimulatedCluster cluster;
  private final Map<MemberId, Map<Lineage, ViewName>> latest = new HashMap<>();
  private final Map<ViewStamp, View> known = new HashMap<>();
  private final Map<ViewStamp, ViewStamp> bases = new HashMap<>(); // each view's predecessor
  private final Map<MemberId, View> holds = new HashMap<>();
  private final Map<ViewStamp, Set<MemberId>> reports = new HashMap<>(); // who is done with which
  private final IdentityHashMap<Node, Set<Lineage>> holders =
      new IdentityHashMap<>(); // who held which ever
  private boolean lineagesMayDiffer;

  ViewInvariants(SimulatedCluster cluster) {
    this.cluster = cluster;
  }

  /** From now on there may be lineages that have not met yet. */
  void allowSeveralLineages() {
    lineagesMayDiffer = true;
  }

  void said(ViewWord word) {
    if (word instanceof ViewWord.Propose propose) {
      bases.putIfAbsent(propose.view().stamp(), propose.base());
    }
  }

  void installed(Node node, View view) {
    cluster.check(view.contains(node.id()), () -> node.id() + " is not in its own " + view);
    ViewName before =
        latest.computeIfAbsent(node.id(), id -> new HashMap<>()).put(view.lineage(), view.name());
    cluster.check(
        before == null || !before.isAfter(view.name()),
        () -> node.id() + " goes back from " + before + " to " + view.name());
    View same = known.putIfAbsent(view.stamp(), view);
    cluster.check(
        same == null || same.equals(view), () -> "two views of one name: " + same + " and " + view);
    View held = holds.put(node.id(), view);
    if (same == null && held != null && held.epoch() == view.epoch() - 1) {
      bases.putIfAbsent(view.stamp(), held.stamp());
    }
    if (same == null) {
      addsSafely(view);
      settlesSafely(view);
      movesSafely(view);
    }
    if (holders.computeIfAbsent(node, n -> new HashSet<>()).add(view.lineage())) {
      Member me = view.member(node.id());
      cluster.check(
          view.epoch() == 1 || me == null || !me.state().votes(),
          () -> node.id() + " votes in the first view that it sees: " + view);
    }
    if (same == null && view.epoch() == 1 && known.size() > 1) {
      foundAgain(node, view);
    }
  }

  /** A node is about to say that it is done with that view, if it still holds it. */
  void reports(Node node, View view) {
    if (view.equals(node.keeper.current())) {
      reports.computeIfAbsent(view.stamp(), stamp -> new HashSet<>()).add(node.id());
    }
  }

  private @Nullable View before(View view) {
    ViewStamp base = bases.get(view.stamp());
    return base == null ? null : known.get(base);
  }

  private void settlesSafely(View view) {
    View before = before(view);
    if (!view.settled() || before == null) {
      return;
    }
    Set<MemberId> done = reports.getOrDefault(before.stamp(), Set.of());
    List<Member> present = present(before);
    cluster.check(
        (before.settled() && present.equals(present(view)))
            || present.stream().allMatch(m -> done.contains(m.id())),
        () -> view + " is settled, and only these were done with " + before + ": " + done);
  }

  private void movesSafely(View view) {
    View before = before(view);
    if (before == null) {
      return;
    }
    for (Member earlier : before.members()) {
      Member member = view.member(earlier.id());
      int toBe = earlier.state().inTarget() ? earlier.weight() : 0;
      int expected = view.settled() ? toBe : earlier.baseWeight();
      cluster.check(
          member == null || !member.state().isPresent() || member.baseWeight() == expected,
          () -> view + " has another base than follows from " + before);
    }
    cluster.check(
        view.base().stream().allMatch(member -> before.contains(member.id())),
        () -> view + " has somebody in the base whom " + before + " does not list");
  }

  private static List<Member> present(View view) {
    return view.members().stream().filter(m -> m.state().isPresent()).toList();
  }

  private void addsSafely(View view) {
    View before = before(view);
    if (before == null) {
      return;
    }
    boolean adds = false;
    for (Member member : view.members()) {
      Member earlier = before.member(member.id());
      boolean comes = earlier == null || !earlier.state().isPresent();
      adds |= member.state().isPresent() && comes;
      adds |= member.state().votes() && earlier != null && !earlier.state().votes();
    }
    for (Node other : cluster.nodes()) {
      Member listed = before.member(other.id());
      View theirs = other.keeper.current();
      boolean outside = listed == null || !listed.state().isPresent();
      boolean earlier =
          theirs != null
              && theirs.lineage().equals(view.lineage())
              && before.name().isAfter(theirs.name());
      cluster.check(
          !(adds && outside && earlier && cluster.leased(other.id())),
          () -> view + " adds although " + other.id() + " holds a lease in " + theirs);
    }
  }

  /** A lineage beside others is started only by who can reach nobody that decides. */
  private void foundAgain(Node node, View view) {
    for (Node other : cluster.nodes()) {
      cluster.check(
          other == node || !cluster.leased(other.id()) || !cluster.reaches(node, other),
          () -> node.id() + " founds " + view + " although " + other.id() + " goes on");
    }
    lineagesMayDiffer = true;
  }

  /** A node with that view says that a member died in it. */
  void diedIn(Node node, View view, MemberId member) {
    ViewName last = latest.getOrDefault(member, Map.of()).get(view.lineage());
    cluster.check(!cluster.lives(member), () -> node.id() + " says that " + member + " is dead");
    if (last == null || !last.isAfter(view.name())) {
      return;
    }
    for (Node other : cluster.nodes()) {
      View theirs = other.keeper.current();
      boolean same =
          theirs != null && theirs.lineage().equals(view.lineage()) && theirs.name().equals(last);
      cluster.check(
          !(same && cluster.leased(other.id())),
          () ->
              node.id()
                  + " takes "
                  + member
                  + " for having died in "
                  + view.name()
                  + ", and it held "
                  + theirs);
    }
  }

  void dropped(Node node) {
    holds.remove(node.id());
  }

  void ended(Node node) {
    holds.remove(node.id());
  }

  /** Compares that node with all others. */
  void check(Node node) {
    if (!cluster.leased(node.id())) {
      return;
    }
    View view = cluster.held(node.id());
    boolean sure = !node.keeper.departedMayHoldLease();
    boolean sureOfDeciders = !node.keeper.departedMayDecide();
    for (Node other : cluster.nodes()) {
      if (other == node || !cluster.leased(other.id())) {
        continue;
      }
      View theirs = cluster.held(other.id());
      if (!view.lineage().equals(theirs.lineage())) {
        cluster.check(
            lineagesMayDiffer, () -> "leases of two lineages: " + both(node, view, other, theirs));
        continue;
      }
      boolean later = view.epoch() > theirs.epoch();
      cluster.check(
          later ? descends(view, theirs) : descends(theirs, view),
          () -> "leases of views that exclude each other: " + both(node, view, other, theirs));
      Member listed = view.member(other.id());
      boolean outside = listed == null || !listed.state().isPresent();
      cluster.check(
          !(later && outside && sure),
          () -> "a departed member holds a lease: " + both(node, view, other, theirs));
      Member itself = theirs.member(other.id());
      boolean drained = listed == null && itself != null && itself.state() == MemberState.DRAINING;
      cluster.check(
          !(later && outside && sureOfDeciders) || drained,
          () -> "a departed member may decide: " + both(node, view, other, theirs));
    }
  }

  private boolean descends(View later, View earlier) {
    View at = later;
    while (at.epoch() > earlier.epoch()) {
      View before = before(at);
      if (before == null) {
        return true; // its descent is not known
      }
      at = before;
    }
    return Successor.of(at).equals(Successor.of(earlier));
  }

  private static String both(Node one, View view, Node other, @Nullable View theirs) {
    return one.id() + " in " + view + " and " + other.id() + " in " + theirs;
  }
}
