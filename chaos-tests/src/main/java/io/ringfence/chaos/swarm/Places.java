package io.ringfence.chaos.swarm;

import io.ringfence.membership.MemberId;
import io.ringfence.membership.View;
import io.ringfence.ring.Ring;
import io.ringfence.ring.RingNode;
import io.ringfence.ring.RingSettings;
import java.util.HashMap;
import java.util.Map;

/** Which slots belong to whom by the base of a view, each set as a number. Immutable. */
final class Places {
  private final Map<MemberId, Long> slots = new HashMap<>();
  private final long all;

  Places(View view, RingSettings settings) {
    Ring ring =
        Ring.of(
            settings,
            view.base().stream().map(m -> new RingNode(m.name(), m.baseWeight())).toList());
    Map<String, Long> byName = new HashMap<>();
    for (int slot = 0; slot < settings.slots(); slot++) {
      byName.merge(ring.ownerOf(slot), 1L << slot, (one, other) -> one | other);
    }
    view.base().forEach(m -> slots.put(m.id(), byName.getOrDefault(m.name(), 0L)));
    this.all = -1L >>> (Long.SIZE - settings.slots());
  }

  /** Those of that member. */
  long of(MemberId member) {
    return slots.getOrDefault(member, 0L);
  }

  long all() {
    return all;
  }
}
