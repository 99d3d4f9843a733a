package io.ringfence.engine;

import io.ringfence.engine.message.FetchMessage;
import io.ringfence.engine.message.InventoryMessage;
import io.ringfence.engine.message.InventoryMessage.Held;
import io.ringfence.engine.message.InventoryRequest;
import io.ringfence.engine.message.Version;
import io.ringfence.membership.Member;
import io.ringfence.membership.MemberId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * How this node comes to decide for slots that are its own by the base of a view and that nobody
 * has passed to it.
 *
 * <p>It asks every member that takes part what that holds of them. When all have answered, in this
 * view, a slot is open somewhere, and then it stays there until it is passed on; or the best copy
 * is at hand, or is fetched, or there is none. Only when nobody who departed may still be deciding
 * is a slot opened. A member's answer holds for the whole view: in it, nobody but this node can
 * open such a slot, unless by having it passed from one who said that it was open.
 *
 * <p>Guarded by the monitor of {@link Custody}.
 */
final class Opening {
  private static final long REPEAT_NANOS = 50_000_000L;

  private final Slots slots;
  private final EnginePorts ports;
  private final Topology topology;
  private final BitSet needed; // slots that are open nowhere as far as is known
  private final Set<MemberId> silent = new HashSet<>(); // members that have not answered wholly
  private final Map<MemberId, BitSet> parts = new HashMap<>(); // that came, of each answer
  private final Map<Integer, Copy> best = new HashMap<>(); // other members' best copies
  private final Map<Integer, Copy> fetching = new TreeMap<>();
  private long askedNanos = Long.MIN_VALUE;
  private boolean departuresOver;

  /**
   * Begins to open slots.
   *
   * @param needed the slots; taken over
   */
  Opening(MemberId self, Slots slots, EnginePorts ports, Topology topology, BitSet needed) {
    this.slots = slots;
    this.ports = ports;
    this.topology = topology;
    this.needed = needed;
    for (Member member : topology.view().members()) {
      if (member.state().isPresent() && !member.id().equals(self)) {
        silent.add(member.id());
      }
    }
  }

  private record Copy(MemberId holder, Version version) {}

  /**
   * A slot that may be opened now.
   *
   * @param slot the slot
   * @param found whether there is a copy of it here; else everything is lost
   */
  record Openable(Slot slot, boolean found) {}

  /** Nobody who departed from this view or an earlier one may still be deciding. */
  void departuresOver() {
    departuresOver = true;
  }

  /** Whether every slot is open somewhere. */
  boolean isOver() {
    return needed.isEmpty();
  }

  /** How many slots are to be opened yet. */
  int left() {
    return needed.cardinality();
  }

  /** The slot came to this node on another way. */
  void opened(int slot) {
    needed.clear(slot);
    fetching.remove(slot);
  }

  /** A member answers; returns the slots that are open there. */
  BitSet answered(MemberId from, InventoryMessage inventory) {
    BitSet open = new BitSet();
    if (!silent.contains(from)) {
      return open;
    }
    for (Held held : inventory.held()) {
      if (held.slot() >= slots.count() || !needed.get(held.slot())) {
        continue;
      }
      if (held.open()) {
        topology.moved(held.slot(), from);
        open.set(held.slot());
        opened(held.slot());
        best.remove(held.slot());
      } else {
        Copy copy = new Copy(from, held.version());
        best.merge(held.slot(), copy, (a, b) -> a.version().compareTo(b.version()) >= 0 ? a : b);
      }
    }
    BitSet came = parts.computeIfAbsent(from, member -> new BitSet());
    came.set(inventory.part());
    if (came.cardinality() == inventory.parts()) {
      silent.remove(from);
      parts.remove(from);
    }
    return open;
  }

  /** Asks whom it waits for, again from time to time; returns what may be opened. */
  List<Openable> turn() {
    if (needed.isEmpty()) {
      return List.of();
    }
    long now = ports.clock().elapsedNanos();
    boolean mayAsk = askedNanos == Long.MIN_VALUE || now - askedNanos >= REPEAT_NANOS;
    if (!silent.isEmpty()) {
      if (mayAsk) {
        askedNanos = now;
        InventoryRequest request = new InventoryRequest(topology.name());
        silent.forEach(member -> ports.transport().send(member, request));
      }
      return List.of();
    }
    if (!departuresOver) {
      return List.of();
    }
    List<Openable> openable = new ArrayList<>();
    boolean newFetches = false;
    for (int number = needed.nextSetBit(0); number >= 0; number = needed.nextSetBit(number + 1)) {
      Slot slot = slots.slot(number);
      Copy elsewhere = best.get(number);
      Version here = slot.full ? slot.version : null;
      if (elsewhere == null || (here != null && here.compareTo(elsewhere.version()) >= 0)) {
        openable.add(new Openable(slot, here != null));
        fetching.remove(number);
      } else {
        newFetches |= fetching.put(number, elsewhere) == null;
      }
    }
    if (!fetching.isEmpty() && (newFetches || mayAsk)) {
      askedNanos = now;
      fetch();
    }
    return openable;
  }

  private void fetch() {
    Map<MemberId, BitSet> wanted = new HashMap<>();
    fetching.forEach(
        (slot, copy) -> wanted.computeIfAbsent(copy.holder(), h -> new BitSet()).set(slot));
    wanted.forEach(
        (holder, set) -> ports.transport().send(holder, new FetchMessage(topology.name(), set)));
  }

  /** What a node holds of the slots that a member owns by the base of this view. */
  static List<InventoryMessage> inventory(Topology topology, MemberId owner, Slots slots) {
    List<Held> held = new ArrayList<>();
    for (int number = 0; number < slots.count(); number++) {
      Slot slot = slots.slot(number);
      if (topology.owns(owner, number) && (slot.isOpen() || slot.full)) {
        held.add(new Held(number, slot.isOpen(), slot.version));
      }
    }
    int parts =
        Math.max(1, (held.size() + InventoryMessage.MAX_HELD - 1) / InventoryMessage.MAX_HELD);
    List<InventoryMessage> messages = new ArrayList<>(parts);
    for (int part = 0; part < parts; part++) {
      int from = part * InventoryMessage.MAX_HELD;
      int to = Math.min(held.size(), from + InventoryMessage.MAX_HELD);
      messages.add(new InventoryMessage(topology.name(), part, parts, held.subList(from, to)));
    }
    return messages;
  }
}
