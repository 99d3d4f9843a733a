package io.ringfence.chaos.swarm;

import io.ringfence.membership.Member;
import io.ringfence.membership.MemberState;
import io.ringfence.membership.View;

/**
 * In which state of the protocol a cluster is, by its latest view and the slots that are open. The
 * coverage table counts by it, and a fault may lie in wait for it.
 */
enum ClusterState {
  /** Every slot is where it belongs, and stays there. */
  SETTLED("settled"),
  /** A member joins, and no slot has been passed to it yet, or all have. */
  JOINING("joining"),
  /** A member leaves, and no slot has been passed on yet, or all have. */
  DRAINING("draining"),
  /** Slots go to where new weights have them, and none has been passed on yet, or all have. */
  WEIGHING("weights change"),
  /** A slot is closed, and was not taken yet. */
  PASSING("a slot between two"),
  /** Some slots have been passed, others not. */
  HALF_WAY("slots half moved"),
  /** Somebody departed; slots are opened and copied anew, or the view has not reached all. */
  REFILLING("after a loss");

  private final String text;

  ClusterState(String text) {
    this.text = text;
  }

  /** A few words for people. */
  String text() {
    return text;
  }

  /** The state that a swarm is in. */
  static ClusterState of(Swarm swarm) {
    View latest = swarm.chronicle.latest();
    if (latest == null) {
      return JOINING;
    }
    boolean joins = has(latest, MemberState.JOINING);
    boolean drains = has(latest, MemberState.DRAINING);
    if (!joins && !drains && !isWeighed(latest)) {
      return latest.settled() && swarm.isSettled() ? SETTLED : REFILLING;
    }
    Places places = swarm.chronicle.places();
    long moved = 0;
    long held = 0;
    long stays = 0;
    for (Node node : swarm.living()) {
      held |= node.slotsHeld;
      moved |= node.slotsHeld & ~places.of(node.id);
      stays |= node.slotsHeld & places.of(node.id);
    }
    if (moved != 0 && held != places.all()) {
      return PASSING;
    }
    if (moved != 0 && stays != 0) {
      return HALF_WAY;
    }
    return joins ? JOINING : drains ? DRAINING : WEIGHING;
  }

  private static boolean isWeighed(View view) {
    return view.base().stream().anyMatch(m -> m.weight() != m.baseWeight());
  }

  private static boolean has(View view, MemberState state) {
    for (Member member : view.members()) {
      if (member.state() == state) {
        return true;
      }
    }
    return false;
  }
}
