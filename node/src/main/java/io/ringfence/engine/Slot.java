package io.ringfence.engine;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The counters of one slot: the unit that is owned.
 *
 * <p>A slot is open where this node decides for it. Whoever decides looks at this under the lock of
 * a counter that is in the table; closing first says so and then takes those locks one by one. So
 * once {@link Slots#close} has returned, nothing more is charged here, and a slot that it found
 * without counters has none.
 *
 * <p>Thread-safe. The table is made when the first counter comes, as most slots of a small
 * cluster's node are empty.
 */
final class Slot {
  private final int number;

  private volatile @Nullable ConcurrentHashMap<CounterKey, Counter> counters;
  private volatile boolean open;
  // From when on this node knows the slot's counters; null if it has known them all along.
  private volatile @Nullable Moment knownSince;

  Slot(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }

  @Nullable Counter get(CounterKey key) {
    ConcurrentHashMap<CounterKey, Counter> table = counters;
    return table == null ? null : table.get(key);
  }

  /** Adds the counter, unless there is one of that key already, which is then returned. */
  @Nullable Counter putIfAbsent(Counter counter) {
    ConcurrentHashMap<CounterKey, Counter> table = counters;
    if (table == null) {
      table = makeTable();
    }
    return table.putIfAbsent(counter.key(), counter);
  }

  boolean remove(Counter counter) {
    ConcurrentHashMap<CounterKey, Counter> table = counters;
    return table != null && table.remove(counter.key(), counter);
  }

  Collection<Counter> all() {
    ConcurrentHashMap<CounterKey, Counter> table = counters;
    return table == null ? List.of() : table.values();
  }

  boolean isEmpty() {
    ConcurrentHashMap<CounterKey, Counter> table = counters;
    return table == null || table.isEmpty();
  }

  boolean isOpen() {
    return open;
  }

  void setOpen(boolean open) {
    this.open = open;
  }

  /** Whether every counter's past is known to this node. */
  boolean fullyKnown() {
    return knownSince == null;
  }

  @Nullable Moment knownSince() {
    return knownSince;
  }

  void knownOnlySince(Moment moment) {
    knownSince = moment;
  }

  void knownAllAlong() {
    knownSince = null;
  }

  private synchronized ConcurrentHashMap<CounterKey, Counter> makeTable() {
    ConcurrentHashMap<CounterKey, Counter> table = counters;
    if (table == null) {
      table = new ConcurrentHashMap<>(4);
      counters = table;
    }
    return table;
  }
}
