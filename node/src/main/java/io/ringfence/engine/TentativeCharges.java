package io.ringfence.engine;

import io.ringfence.membership.MemberId;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Charges that a cancel may still undo, by who made them and under which number.
 *
 * <p>A check on counters of several owners charges them one after another; when a later one denies,
 * the earlier charges are cancelled. An entry is taken out by its cancel, so that a cancel undoes
 * once; it is forgotten after {@link #MEMORY_NANOS}, and the oldest makes way when there are too
 * many. A charge whose cancel comes too late stands.
 *
 * <p>Thread-safe.
 */
final class TentativeCharges {
  static final int CAPACITY = 65_536;
  static final long MEMORY_NANOS = 10_000_000_000L;

  private final Decider decider;
  private final Clock clock;
  private final EngineMetrics metrics;
  private final Map<Id, Entry> entries = new LinkedHashMap<>(); // guarded by this; oldest first

  /** Of charges that the given decider made. */
  TentativeCharges(Decider decider, EnginePorts ports) {
    this.decider = decider;
    this.clock = ports.clock();
    this.metrics = ports.metrics();
  }

  /** Who charged, under which number. */
  record Id(MemberId caller, long checkId) {}

  private record Entry(List<Step.Charge> charges, long atNanos) {}

  void remember(Id id, List<Step.Charge> charges) {
    long now = clock.elapsedNanos();
    synchronized (this) {
      forgetOld(now);
      entries.put(id, new Entry(charges, now));
    }
  }

  /**
   * Undoes what was charged under that id, once.
   *
   * @return the counters for which somebody waits who need not any more
   */
  List<CounterKey> cancel(Id id) {
    Entry entry;
    synchronized (this) {
      entry = entries.remove(id);
    }
    if (entry == null || clock.elapsedNanos() - entry.atNanos() >= MEMORY_NANOS) {
      return List.of();
    }
    List<CounterKey> lifts = new ArrayList<>();
    for (Step.Charge charge : entry.charges()) {
      if (decider.undo(charge) == Decider.Undone.LIFTS) {
        lifts.add(charge.counter().key());
      }
    }
    return lifts;
  }

  synchronized int size() {
    return entries.size();
  }

  private void forgetOld(long now) {
    Iterator<Entry> oldestFirst = entries.values().iterator();
    while (oldestFirst.hasNext()) {
      Entry oldest = oldestFirst.next();
      boolean full = entries.size() >= CAPACITY;
      if (!full && now - oldest.atNanos() < MEMORY_NANOS) {
        return;
      }
      if (full) {
        metrics.overflow("tentative_charges");
      }
      oldestFirst.remove();
    }
  }
}
