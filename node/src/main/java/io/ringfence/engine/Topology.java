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

/**
 * A view and the base ring that follows from it: who decides for which slot. Immutable.
 *
 * @param view the view
 * @param ring the ring of the members that are in the base
 */
record Topology(View view, Ring ring) {

  static Topology of(View view, RingSettings settings) {
    List<RingNode> nodes =
        view.base().stream().map(m -> new RingNode(m.name(), m.weight())).toList();
    return new Topology(view, Ring.of(settings, nodes));
  }

  ViewName name() {
    return view.name();
  }

  /** The member that decides for a slot; null where the base is empty. */
  @Nullable MemberId ownerOf(int slot) {
    if (ring.isEmpty()) {
      return null;
    }
    Member owner = view.named(ring.ownerOf(slot));
    return owner == null ? null : owner.id();
  }

  boolean owns(MemberId member, int slot) {
    return member.equals(ownerOf(slot));
  }
}
