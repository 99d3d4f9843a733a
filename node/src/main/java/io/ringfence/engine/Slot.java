package io.ringfence.engine;

import io.ringfence.engine.message.Knowledge;
import io.ringfence.engine.message.Term;
import io.ringfence.engine.message.Version;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The counters of one slot: the unit that is owned, moved and copied.
 *
 * <p>A slot is open where this node decides for it. Whoever decides looks at this under the lock of
 * a counter that is in the table; closing first says so and then takes those locks one by one. So
 * once {@link Slots#close} has returned, nothing more is charged here. A closed slot may hold a
 * copy, which nobody decides by.
 *
 * <p>Thread-safe, but for what belongs to {@link Custody} and is guarded by its monitor. The table
 * is made when the first counter comes, as most slots of a small cluster's node are empty.
 */
final class Slot {
  private final int number;
  private final Changes changes;

  private volatile @Nullable ConcurrentHashMap<CounterKey, Counter> counters;
  private volatile boolean open;
  private volatile boolean copied; // whether copies are kept elsewhere, which changes must reach
  private volatile Past past = Past.WHOLE;

  private volatile long mostCharged; // in this term, to a counter that has left; set under this

  // Of Custody, guarded by its monitor.
  Version version = Version.NONE; // what the counters here hold, if this is full
  boolean full; // whether no counter is missing; true wherever the slot is open

  Slot(int number, Changes changes) {
    this.number = number;
    this.changes = changes;
  }

  /**
   * What this node knows of the time before.
   *
   * @param kind how sure it is
   * @param knownSince from when on it knows everything; null if all along
   */
  record Past(Knowledge.Kind kind, @Nullable Moment knownSince) {
    static final Past WHOLE = new Past(Knowledge.Kind.WHOLE, null);

    /** As another process tells it. */
    static Past of(Knowledge knowledge, Clock clock) {
      if (knowledge.kind() == Knowledge.Kind.WHOLE) {
        return WHOLE;
      }
      long since = Math.max(0, clock.elapsedNanos() - knowledge.ageNanos());
      return new Past(knowledge.kind(), Moment.at(clock, since));
    }

    /** As it is told to another process. */
    Knowledge told(Moment now) {
      return knownSince == null
          ? Knowledge.WHOLE
          : new Knowledge(kind, now.elapsedNanos() - knownSince.elapsedNanos());
    }
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

  void setCopied(boolean copied) {
    this.copied = copied;
  }

  /**
   * A counter is other than its copies now. Called with its lock held.
   *
   * @return whether it was noted, and so will be copied
   */
  boolean note(Counter changed) {
    if (copied) {
      changes.add(changed);
      return true;
    }
    return false;
  }

  Past past() {
    return past;
  }

  void setPast(Past past) {
    this.past = past;
  }

  /** Whether every counter's past is known to this node. */
  boolean fullyKnown() {
    return past.kind() == Knowledge.Kind.WHOLE;
  }

  /** From where counters that are made now count what is charged to them. */
  long mostCharged() {
    return mostCharged;
  }

  /** A counter that was charged so much leaves. */
  synchronized void left(long charged) {
    mostCharged = Math.max(mostCharged, charged);
  }

  /**
   * Another term begins, with what is here.
   *
   * @param complete whether that is all that was charged in the term before
   */
  void begin(Term term, boolean complete) {
    for (Counter counter : all()) {
      synchronized (counter) {
        counter.beginTerm();
        if (complete) {
          counter.isComplete(version.term());
        }
      }
    }
    synchronized (this) {
      mostCharged = 0;
    }
    version = new Version(term, 0);
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
