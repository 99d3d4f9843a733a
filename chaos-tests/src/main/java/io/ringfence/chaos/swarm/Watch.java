package io.ringfence.chaos.swarm;

import io.ringfence.membership.View;
import io.ringfence.membership.ViewStamp;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * What must hold after every turn of any process: one decider a slot, one view a name.
 *
 * <p>A process that is stopped keeps its lease for as long as its clock says, and its slots: it may
 * go on at any moment. So a slot that is open there counts as well.
 */
final class Watch {
  private final Swarm swarm;
  private final Map<ViewStamp, View> known = new HashMap<>();

  Watch(Swarm swarm) {
    this.swarm = swarm;
  }

  /** A process holds this view from now on. */
  void installed(Node node, View view) {
    View same = known.putIfAbsent(view.stamp(), view);
    swarm.findings.require(
        same == null || same.equals(view),
        Invariant.ONE_VIEW_PER_EPOCH,
        () -> "two views of one name: %s and %s at %s".formatted(same, view, node));
  }

  /** Compares the process whose turn it was with all others. */
  void turnEnds(Node node) {
    if (node.hasEnded()) {
      return;
    }
    node.slotsHeld = node.holds();
    if (!node.mayDecide() || node.glue.isOut()) {
      return;
    }
    for (Node other : swarm.all()) {
      if (other != node && other.mayDecide() && !other.glue.isOut()) {
        compare(node, other);
      }
    }
  }

  private void compare(Node node, Node other) {
    long both = node.slotsHeld & other.slotsHeld;
    swarm.findings.require(
        both == 0,
        Invariant.ONE_DECIDER,
        () ->
            "%s in %s and %s in %s both hold slots %s"
                .formatted(node, node.view(), other, other.view(), slots(both)));
    View view = node.view();
    View theirs = other.view();
    boolean rivals =
        view != null
            && theirs != null
            && view.epoch() == theirs.epoch()
            && view.lineage().equals(theirs.lineage())
            && !view.members().equals(theirs.members());
    swarm.findings.require(
        !rivals,
        Invariant.ONE_VIEW_PER_EPOCH,
        () -> "%s with %s and %s with %s hold leases".formatted(node, view, other, theirs));
  }

  /** The slots of a set, for people. */
  static String slots(long set) {
    return BitSet.valueOf(new long[] {set}).toString();
  }
}
