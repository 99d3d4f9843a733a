package io.ringfence.engine;

import io.ringfence.ring.Placement;
import io.ringfence.ring.RingSettings;
import io.ringfence.ring.SipHash;
import io.ringfence.rules.Ask;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * All counters that a node holds, by slot.
 *
 * <p>The number of counters is bounded. Idle ones (no different from fresh) leave by a sweep that
 * walks the slots, so no counter needs a timer; when the table is full the slot at hand is swept at
 * once, and a counter that still finds no room is refused: a live counter never makes way. Nor does
 * one account take all the room (see {@link Tenants}).
 *
 * <p>Thread-safe. Counters are added without their lock and removed under it.
 */
final class Slots {
  private final Slot[] slots;
  private final Placement placement;
  private final SipHash keyHash;
  private final long maxCounters;
  private final AtomicLong copies = new AtomicLong(); // counters of closed slots; <= maxCounters
  // 0 <= size <= maxCounters, but for additions under way that are about to be taken back
  private final AtomicLong size = new AtomicLong();
  private final Tenants tenants;

  private volatile boolean full; // a counter found no room, and there has not been much since

  private int sweepCursor; // the next slot to be swept; guarded by this

  /**
   * A table without counters.
   *
   * @param changes where counters are noted of which copies are kept
   */
  Slots(RingSettings ring, long maxCounters, Changes changes) {
    this.slots = new Slot[ring.slots()];
    for (int i = 0; i < slots.length; i++) {
      slots[i] = new Slot(i, changes);
    }
    this.placement = new Placement(ring);
    // The table's hash must not follow the placement's, or all keys of one slot would share its
    // bits.
    this.keyHash = new SipHash(~ring.k0(), ~ring.k1());
    this.maxCounters = maxCounters;
    this.tenants = new Tenants(maxCounters);
  }

  int slotOf(Ask.Place place) {
    return placement.slotOf(place.attribute(), place.value());
  }

  CounterKey keyOf(long limitId, byte[] values) {
    long hash = keyHash.hash(values, 0, values.length) ^ (limitId * 0x9E3779B97F4A7C15L);
    return new CounterKey(limitId, values, (int) (hash ^ (hash >>> 32)));
  }

  CounterKey keyOf(long limitId, List<String> values) {
    return keyOf(limitId, CounterKey.encode(values));
  }

  Slot slot(int number) {
    return slots[number];
  }

  int count() {
    return slots.length;
  }

  long size() {
    return size.get();
  }

  /**
   * The counter of that key, made where there is none; null where the table has no room for it.
   *
   * @param tenant on whose account, or 0
   */
  @Nullable Counter getOrCreate(Target target, int tenant, Moment now) {
    Slot slot = slots[target.slot()];
    Counter counter = slot.get(target.key());
    if (counter != null) {
      return counter;
    }
    int account = tenants.account(tenant, target.key().limitId());
    if (!reserve(slot, account, now)) {
      full = true;
      return null;
    }
    Counter made = new Counter(target, slot, account, now);
    Counter earlier = slot.putIfAbsent(made);
    if (earlier != null) {
      size.decrementAndGet();
      return earlier;
    }
    tenants.took(account);
    return made;
  }

  /** A fresh counter that is not in the table. */
  Counter imagine(Target target, Moment now) {
    return new Counter(target, slots[target.slot()], 0, now);
  }

  /** Whether a counter found no room, and the table has not been below seven tenths since. */
  boolean isFull() {
    return full;
  }

  @Nullable Counter get(int slotNumber, CounterKey key) {
    return slots[slotNumber].get(key);
  }

  /**
   * Removes the idle counters of the next slots, so that all are visited in the given number of
   * turns.
   */
  synchronized void sweep(int turns, Moment now) {
    int visits = (slots.length + turns - 1) / turns;
    for (int i = 0; i < visits; i++) {
      sweep(slots[sweepCursor], now);
      sweepCursor = (sweepCursor + 1) % slots.length;
    }
    if (full && size.get() < maxCounters - maxCounters * 3 / 10) {
      full = false;
    }
  }

  /** How many counters there are of slots that other nodes decide for. */
  long copies() {
    return copies.get();
  }

  /** Whether the table has room for all counters of a slot, if it were opened here. */
  boolean hasRoomFor(Slot slot) {
    return size.get() + slot.all().size() <= maxCounters;
  }

  /**
   * The counter of that key in a closed slot, made as another node has it where there is none; null
   * where there is no room for one more copy.
   */
  @Nullable Counter copyIn(Slot slot, Counter copy) {
    Counter known = slot.get(copy.key());
    if (known != null) {
      return known;
    }
    if (copies.incrementAndGet() > maxCounters) {
      copies.decrementAndGet();
      return null;
    }
    Counter earlier = slot.putIfAbsent(copy);
    if (earlier != null) {
      copies.decrementAndGet();
      return earlier;
    }
    return copy;
  }

  /** Opens a slot with the counters that it has. */
  void open(Slot slot) {
    for (Counter counter : slot.all()) {
      synchronized (counter) {
        if (counter.isCopy() && !counter.removed()) {
          counter.setCopy(false);
          copies.decrementAndGet();
          size.incrementAndGet();
          tenants.took(counter.account());
        }
      }
    }
    slot.setOpen(true);
  }

  /** Closes a slot; what it holds becomes a copy. Nothing is charged any more once it returns. */
  void close(Slot slot) {
    slot.setOpen(false);
    for (Counter counter : slot.all()) {
      synchronized (counter) {
        if (!counter.isCopy() && !counter.removed()) {
          counter.setCopy(true);
          copies.incrementAndGet();
          size.decrementAndGet();
          tenants.gaveBack(counter.account());
        }
      }
    }
  }

  /** Forgets the counters of a closed slot. */
  void forget(Slot slot) {
    for (Counter counter : slot.all()) {
      synchronized (counter) {
        remove(counter);
      }
    }
  }

  /** Forgets one counter of a closed slot. */
  void forget(Counter counter) {
    synchronized (counter) {
      remove(counter);
    }
  }

  private void sweep(Slot slot, Moment now) {
    for (Counter counter : slot.all()) {
      synchronized (counter) {
        if (counter.isFresh(now)) {
          remove(counter);
        } else {
          counter.forgetOldCharges(now);
        }
      }
    }
  }

  private void remove(Counter counter) {
    if (!counter.removed()) {
      counter.markRemoved();
      if (counter.slot().remove(counter)) {
        if (counter.isCopy()) {
          copies.decrementAndGet();
        } else {
          counter.slot().left(counter.charged());
          size.decrementAndGet();
          tenants.gaveBack(counter.account());
        }
      }
    }
  }

  private boolean reserve(Slot slot, int account, Moment now) {
    if (reserve(account)) {
      return true;
    }
    sweep(slot, now);
    return reserve(account);
  }

  private boolean reserve(int account) {
    long taken = size.getAndIncrement();
    if (taken < maxCounters && tenants.mayTake(account, taken)) {
      return true;
    }
    size.decrementAndGet();
    return false;
  }
}
