package io.ringfence.engine;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a process that ended left of the slots that it decided for. It is read back batch by batch,
 * in the order in which they were written.
 *
 * <p>Not thread-safe.
 */
public final class SavedSlots {
  private final BitSet covered = new BitSet(); // slots that were decided for to the end
  private final Map<Integer, Map<Name, SavedCounter>> counters = new HashMap<>();

  private record Name(long limitId, List<Byte> values) {}

  /** Nothing. */
  public SavedSlots() {}

  /** The slot is decided for from here on. What was known of it is told anew. */
  public void opened(int slot) {
    covered.set(slot);
    counters.remove(slot);
  }

  /** The slot is decided for elsewhere. */
  public void left(int slot) {
    covered.clear(slot);
    counters.remove(slot);
  }

  /** The counter as it stands; of a slot that is not decided for it does not count. */
  public void add(SavedCounter counter) {
    if (covered.get(counter.slot())) {
      List<Byte> values = new ArrayList<>(counter.values().length);
      for (byte value : counter.values()) {
        values.add(value);
      }
      counters
          .computeIfAbsent(counter.slot(), slot -> new LinkedHashMap<>())
          .put(new Name(counter.limitId(), values), counter);
    }
  }

  /** How many slots were decided for. */
  public int slots() {
    return covered.cardinality();
  }

  /** How many counters are known of them. */
  public long counters() {
    return counters.values().stream().mapToLong(Map::size).sum();
  }

  /** Which slots were decided for. */
  BitSet covered() {
    return (BitSet) covered.clone();
  }

  /** All counters. */
  List<SavedCounter> all() {
    return counters.values().stream().flatMap(slot -> slot.values().stream()).toList();
  }

  boolean covers(int slot) {
    return covered.get(slot);
  }

  /** Takes out the counters of a slot. */
  Collection<SavedCounter> take(int slot) {
    covered.clear(slot);
    Map<Name, SavedCounter> taken = counters.remove(slot);
    return taken == null ? List.of() : taken.values();
  }

  /** The lowest of the slots from this one on; -1 if there is none. */
  int next(int slot) {
    return covered.nextSetBit(slot);
  }
}
