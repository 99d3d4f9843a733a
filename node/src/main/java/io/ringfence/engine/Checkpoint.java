package io.ringfence.engine;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.algorithms.CounterState;
import io.ringfence.algorithms.Timeline;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The counters of long windows, as they are kept across a restart of all nodes.
 *
 * <p>Each node keeps what it decides for; copies of others' slots are theirs to keep. What is
 * written is a log of slots that were opened and left, and of counters that changed. Read back, it
 * says of which slots the process that ended was the decider, and how their counters stood at most
 * one checkpoint before.
 *
 * <p>It speaks where nobody alive knows better: a slot that is opened without any copy takes up its
 * saved counters, each debited by what was charged meanwhile, in place of what `on_state_lost`
 * assumed. Of slots that belong elsewhere by then, as the ring is another one, the saved use is
 * claimed from whoever decides, who takes it under the same condition.
 *
 * <p>Guarded by the monitor of {@link Custody}.
 */
final class Checkpoint {
  /** Counters of shorter windows are not kept: a restart takes about as long. */
  private static final long LEAST_WINDOW_NANOS = 3_600_000_000_000L;

  private final Slots slots;
  private final Clock clock;
  private final Set<Counter> changed = new LinkedHashSet<>(); // of open slots
  private BitSet left = new BitSet();
  private BitSet opened = new BitSet();
  private boolean on;
  private SavedSlots saved = new SavedSlots(); // of the process before, and not taken up yet

  Checkpoint(Slots slots, Clock clock) {
    this.slots = slots;
    this.clock = clock;
  }

  /** Whether counters of that algorithm are kept. */
  static boolean covers(Algorithm algorithm) {
    return algorithm.windowNanos() >= LEAST_WINDOW_NANOS;
  }

  /** Keeps what changes from now on, after what a process before it left. */
  void begin(SavedSlots earlier) {
    on = true;
    saved = earlier;
  }

  boolean isOn() {
    return on;
  }

  /** Whether the slot, of which no copy was found, is known from the process before. */
  boolean knows(Slot slot) {
    return saved.covers(slot.number());
  }

  /** The slot is about to be opened here with what is saved of it. */
  void restore(Slot slot) {
    Moment now = Moment.of(clock);
    for (Counter counter : slot.all()) {
      synchronized (counter) {
        if (covers(counter.algorithm())) {
          counter.goOnFrom(null, now);
        }
      }
    }
    for (Counter counter : take(slot, now)) {
      Counter known = slots.copyIn(slot, counter);
      if (known != null && known != counter) {
        synchronized (known) {
          known.goOnFrom(counter, now);
        }
      }
    }
  }

  /** Somebody alive knows better. */
  void forget(Slot slot) {
    saved.left(slot.number());
  }

  /** What is saved of slots that others decide for, as claims on them. */
  void claim(IntPredicate elsewhere, Consumer<Owed.Debt> claims) {
    Moment now = Moment.of(clock);
    for (int number = saved.next(0); number >= 0; number = saved.next(number + 1)) {
      if (elsewhere.test(number)) {
        Slot slot = slots.slot(number);
        left(slot);
        take(slot, now).forEach(counter -> claims.accept(Owed.Debt.saved(counter, now)));
      }
    }
  }

  /** Takes out what is saved of a slot, as far as anything of it matters. */
  private List<Counter> take(Slot slot, Moment now) {
    List<Counter> counters = new ArrayList<>();
    for (SavedCounter one : saved.take(slot.number())) {
      CounterState state = restored(one, now);
      if (state != null) {
        CounterKey key = slots.keyOf(one.limitId(), one.values());
        counters.add(new Counter(key, slot, one.account(), one.algorithm(), state));
      }
    }
    return counters;
  }

  /** The state at this moment; null where nothing of it matters, or it makes no sense. */
  private static @Nullable CounterState restored(SavedCounter counter, Moment now) {
    Algorithm algorithm = counter.algorithm();
    long time = now.on(algorithm.timeline());
    if (algorithm.timeline() == Timeline.ELAPSED) {
      time -= Math.max(0, now.wallNanos() - counter.wallNanos());
    }
    try {
      CounterState state = algorithm.restore(counter.words(), time);
      return algorithm.isFresh(state, now.on(algorithm.timeline())) ? null : state;
    } catch (IllegalArgumentException nonsense) {
      return null;
    }
  }

  void opened(Slot slot) {
    if (on) {
      opened.set(slot.number());
      left.clear(slot.number());
      slot.all().forEach(this::changed);
    }
  }

  void left(Slot slot) {
    if (on) {
      left.set(slot.number());
      opened.clear(slot.number());
    }
  }

  void changed(Counter counter) {
    if (on && covers(counter.algorithm())) {
      changed.add(counter);
    }
  }

  /** What is to be written; it counts as written from then on. */
  CheckpointBatch changes() {
    CheckpointBatch batch =
        new CheckpointBatch(left, opened, List.of(), new ArrayList<>(changed), clock);
    forgetChanges();
    return batch;
  }

  /** Everything, for a log that begins anew; also what is saved and not taken up yet. */
  CheckpointBatch all() {
    BitSet open = saved.covered();
    List<Counter> counters = new ArrayList<>();
    for (int number = 0; number < slots.count(); number++) {
      Slot slot = slots.slot(number);
      if (slot.isOpen()) {
        open.set(number);
        slot.all().stream().filter(counter -> covers(counter.algorithm())).forEach(counters::add);
      }
    }
    forgetChanges();
    return new CheckpointBatch(new BitSet(), open, saved.all(), counters, clock);
  }

  private void forgetChanges() {
    left = new BitSet();
    opened = new BitSet();
    changed.clear();
  }
}
