package io.ringfence.engine;

import io.ringfence.engine.message.PassMessage;
import io.ringfence.engine.message.PassMessage.Passed;
import io.ringfence.membership.MemberId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How the slots that are open here and belong elsewhere by the target of a view go there, one by
 * one.
 *
 * <p>A slot is closed only when both its next owner and its next backup have a full copy; until
 * then this node decides on. Once it is closed what changed last is sent to both, and when both
 * have it the slot is passed: the next owner opens it, and from then on whoever of the two dies,
 * the other knows everything. So each slot is closed for about two round trips, in which checks
 * wait at its next owner; and only some are closed at a time.
 *
 * <p>Guarded by the monitor of {@link Custody}.
 */
final class Passing {
  private static final int CLOSED_AT_ONCE = 128;
  private static final long REPEAT_NANOS = 50_000_000L;

  private final MemberId self;
  private final Slots slots;
  private final EnginePorts ports;
  private final Topology topology;
  private final Copies copies;
  private final BitSet leaving; // open here
  private final BitSet closing = new BitSet(); // closed, and not passed
  private final BitSet passed = new BitSet(); // passed, and not known to have been taken
  private long passedNanos;

  /**
   * Begins to pass slots.
   *
   * @param leaving the slots; taken over
   */
  Passing(
      MemberId self,
      Slots slots,
      EnginePorts ports,
      Topology topology,
      Copies copies,
      BitSet leaving) {
    this.self = self;
    this.slots = slots;
    this.ports = ports;
    this.topology = topology;
    this.copies = copies;
    this.leaving = leaving;
  }

  /** One more slot, just opened here. */
  void add(int slot) {
    leaving.set(slot);
  }

  /** Whether all have been taken. */
  boolean isOver() {
    return leaving.isEmpty() && closing.isEmpty() && passed.isEmpty();
  }

  /** Slots that are closed for the moment. */
  int closed() {
    return closing.cardinality() + passed.cardinality();
  }

  /** Slots that were closed and not passed: nobody can have opened them. */
  BitSet unpassed() {
    return (BitSet) closing.clone();
  }

  /** Slots that have not left. */
  int left() {
    return leaving.cardinality() + closed();
  }

  /** Whether some slot is closed and waits for its last changes to arrive. */
  boolean isUrgent() {
    return !closing.isEmpty();
  }

  /** Closes what may be closed; whether there was any. */
  boolean close() {
    boolean any = false;
    int room = CLOSED_AT_ONCE - closed();
    for (int number = leaving.nextSetBit(0);
        number >= 0 && room > 0;
        number = leaving.nextSetBit(number + 1)) {
      MemberId to = topology.nextOwnerOf(number);
      if (to != null && isFull(to, number) && isFull(topology.nextBackupOf(number), number)) {
        leaving.clear(number);
        closing.set(number);
        topology.moved(number, to);
        slots.close(slots.slot(number));
        room--;
        any = true;
      }
    }
    return any;
  }

  /** Passes what has arrived wholly, and again what may not have. */
  void pass() {
    long now = ports.clock().elapsedNanos();
    Map<MemberId, List<Passed>> passing = new HashMap<>();
    for (int number = closing.nextSetBit(0); number >= 0; number = closing.nextSetBit(number + 1)) {
      MemberId to = topology.nextOwnerOf(number);
      if (to != null && hasAll(to, number) && hasAll(topology.nextBackupOf(number), number)) {
        closing.clear(number);
        passed.set(number);
        add(passing, to, number);
      }
    }
    if (passing.isEmpty() && !passed.isEmpty() && now - passedNanos >= REPEAT_NANOS) {
      for (int number = passed.nextSetBit(0); number >= 0; number = passed.nextSetBit(number + 1)) {
        MemberId to = topology.nextOwnerOf(number);
        if (to != null) {
          add(passing, to, number);
        }
      }
    }
    if (!passing.isEmpty()) {
      passedNanos = now;
      passing.forEach(
          (to, list) -> ports.transport().send(to, new PassMessage(topology.name(), list)));
    }
  }

  private void add(Map<MemberId, List<Passed>> passing, MemberId to, int number) {
    Passed one = new Passed(number, slots.slot(number).version);
    passing.computeIfAbsent(to, member -> new ArrayList<>()).add(one);
  }

  /** A member has opened slots that were passed to it; returns those that this is news of. */
  BitSet taken(MemberId by, BitSet taken) {
    BitSet news = new BitSet();
    for (int number = passed.nextSetBit(0); number >= 0; number = passed.nextSetBit(number + 1)) {
      if (taken.get(number) && by.equals(topology.nextOwnerOf(number))) {
        news.set(number);
      }
    }
    passed.andNot(news);
    return news;
  }

  private boolean isFull(@Nullable MemberId member, int slot) {
    return member == null || member.equals(self) || copies.isFull(member, slot);
  }

  private boolean hasAll(@Nullable MemberId member, int slot) {
    return member == null || member.equals(self) || copies.to(member).isCaughtUp(slot);
  }
}
