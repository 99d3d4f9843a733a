package io.ringfence.engine;

import io.ringfence.engine.message.InventoryMessage;
import io.ringfence.membership.Member;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.View;
import io.ringfence.membership.ViewName;
import io.ringfence.ring.RingSettings;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Opens and closes this node's slots as views come.
 *
 * <p>A slot that this node gains is opened when the view is installed. What its earlier owner had
 * counted does not come with it: its counters start fresh, and answers say `assumed` until nothing
 * from before can matter. Two cases are better than that. A process that starts a lineage and was
 * in none before has missed nothing. And an earlier owner, when it closes a slot that never held a
 * counter, says so to the members of the new view (an inventory of vacant slots); the new owner
 * then knows that it misses nothing either. An inventory counts only for the view by which the
 * slots were lost, and only from a sender that had the view right before it: in a skipped view
 * somebody else may have owned the slot.
 *
 * <p>Views are installed one at a time; thread-safe.
 */
final class Ownership {
  private final MemberId self;
  private final RingSettings settings;
  private final Slots slots;
  private final EnginePorts ports;

  private volatile @Nullable Topology topology;
  private boolean heldView; // whether this process was ever in a view; guarded by this
  // inventories for a view that this node does not have yet; at most one a member, guarded by this
  private final Map<MemberId, InventoryMessage> early = new HashMap<>();

  Ownership(MemberId self, RingSettings settings, Slots slots, EnginePorts ports) {
    this.self = self;
    this.settings = settings;
    this.slots = slots;
    this.ports = ports;
  }

  @Nullable Topology topology() {
    return topology;
  }

  /** Makes a view the one that this node goes by. */
  synchronized Topology install(View view) {
    Topology before = topology;
    Topology after = Topology.of(view, settings);
    boolean founding = !heldView && view.epoch() == 1;
    heldView = true;
    Moment now = Moment.of(ports.clock());
    for (int slot = 0; slot < slots.count(); slot++) {
      if (after.owns(self, slot) && !slots.slot(slot).isOpen()) {
        slots.open(slot, founding ? null : now);
      }
    }
    topology = after;
    BitSet vacant = closeAllBut(after);
    if (before != null && isNext(before, after) && !vacant.isEmpty()) {
      tellVacant(after, vacant);
    }
    early.values().forEach(inventory -> apply(inventory, after));
    early.values().removeIf(inventory -> !inventory.view().isAfter(after.name()));
    return after;
  }

  /** This node is in no view any more: it decides nothing. */
  synchronized void leave() {
    topology = null;
    closeAllBut(null);
  }

  /** An earlier owner tells which slots held nothing. */
  synchronized void inventory(MemberId from, InventoryMessage inventory) {
    Topology current = topology;
    ViewName name = current == null ? null : current.name();
    if (current != null && inventory.view().equals(name)) {
      apply(inventory, current);
    } else if (name == null || inventory.view().isAfter(name)) {
      if (early.size() < View.MAX_MEMBERS) {
        early.put(from, inventory);
      }
    }
  }

  private void apply(InventoryMessage inventory, Topology current) {
    if (!inventory.view().equals(current.name())) {
      return;
    }
    inventory.vacant().stream()
        .filter(slot -> slot < slots.count() && current.owns(self, slot))
        .forEach(slot -> slots.slot(slot).knownAllAlong());
  }

  private BitSet closeAllBut(@Nullable Topology after) {
    BitSet vacant = new BitSet(slots.count());
    for (int slot = 0; slot < slots.count(); slot++) {
      boolean keeps = after != null && after.owns(self, slot);
      if (!keeps && slots.slot(slot).isOpen() && slots.close(slot)) {
        vacant.set(slot);
      }
    }
    return vacant;
  }

  private void tellVacant(Topology after, BitSet vacant) {
    InventoryMessage inventory = new InventoryMessage(after.name(), vacant);
    for (Member member : after.view().base()) {
      if (!member.id().equals(self)) {
        ports.transport().send(member.id(), inventory);
      }
    }
  }

  private static boolean isNext(Topology before, Topology after) {
    return before.view().lineage().equals(after.view().lineage())
        && after.view().epoch() == before.view().epoch() + 1;
  }
}
