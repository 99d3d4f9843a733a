package io.ringfence.engine;

import io.ringfence.membership.Member;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.View;
import io.ringfence.membership.ViewName;
import io.ringfence.ring.Ring;
import io.ringfence.ring.RingNode;
import io.ringfence.ring.RingSettings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A view and the base ring that follows from it: who decides for which slot. Immutable. */
final class Topology {
  private final View view;
  private final Ring ring;
  private final @Nullable MemberId[] owners; // by slot; null where the base is empty

  private Topology(View view, Ring ring, @Nullable MemberId[] owners) {
    this.view = view;
    this.ring = ring;
    this.owners = owners;
  }

  static Topology of(View view, RingSettings settings) {
    List<RingNode> nodes =
        view.base().stream().map(m -> new RingNode(m.name(), m.weight())).toList();
    Ring ring = Ring.of(settings, nodes);
    @Nullable MemberId[] owners = new MemberId[settings.slots()];
    for (int slot = 0; slot < owners.length && !ring.isEmpty(); slot++) {
      Member owner = view.named(ring.ownerOf(slot));
      owners[slot] = owner == null ? null : owner.id();
    }
    return new Topology(view, ring, owners);
  }

  View view() {
    return view;
  }

  /** The ring of the members that are in the base. */
  Ring ring() {
    return ring;
  }

  ViewName name() {
    return view.name();
  }

  /** The member that decides for a slot; null where the base is empty. */
  @Nullable MemberId ownerOf(int slot) {
    return owners[slot];
  }

  /** Whether it votes by this view. */
  boolean votes(MemberId member) {
    Member listed = view.member(member);
    return listed != null && listed.state().votes();
  }

  boolean owns(MemberId member, int slot) {
    return member.equals(owners[slot]);
  }
}
