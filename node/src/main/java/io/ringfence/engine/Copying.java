package io.ringfence.engine;

import io.ringfence.engine.message.CounterCopy;
import io.ringfence.engine.message.SlotCopy;
import io.ringfence.engine.message.SlotCopy.Kind;
import io.ringfence.engine.message.Version;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How far one slot is copied to one member.
 *
 * <p>It is in one of three stages. In CONFIRM the receiver should have a full copy and is asked
 * whether that is so: after each change of the view, and right after a slot was opened from a copy
 * that others have too. In WHOLE all counters are sent, over as many messages as it takes; what
 * changes meanwhile is sent after them. In FULL the receiver has everything but what waits here.
 *
 * <p>Guarded by the monitor of {@link Custody}.
 */
final class Copying {
  private final Slot slot;
  private final Map<Counter, Long> pending = new LinkedHashMap<>(); // and charged before the change

  private Stage stage;
  private Version has; // in CONFIRM what the receiver should have, in FULL what it has
  private boolean everFull; // whether the receiver surely has `has`, or more
  private @Nullable Iterator<Counter> rest; // of WHOLE, once begun
  private Version begunAt = Version.NONE; // of WHOLE, once begun
  private @Nullable Stretched stretched; // a counter of which some words are sent
  private boolean queued;
  private long notBeforeNanos = Long.MIN_VALUE;

  private enum Stage {
    CONFIRM,
    WHOLE,
    FULL
  }

  private record Stretched(Counter counter, long before, CopyStream.Whole whole, int next) {}

  Copying(Slot slot, @Nullable Version base) {
    this.slot = slot;
    this.has = base == null ? Version.NONE : base;
    this.stage = base == null ? Stage.WHOLE : Stage.CONFIRM;
  }

  Slot slot() {
    return slot;
  }

  boolean isQueued() {
    return queued;
  }

  void setQueued(boolean isQueued) {
    queued = isQueued;
  }

  boolean isFull() {
    return stage == Stage.FULL;
  }

  /** Whether all but what waits is known to the receiver, whether or not this view confirmed it. */
  boolean isKnown() {
    return everFull;
  }

  /** What the receiver surely has, whether or not this view confirmed it; null if not all. */
  @Nullable Version has() {
    return everFull ? has : null;
  }

  boolean isCaughtUp() {
    return stage == Stage.FULL && pending.isEmpty() && has.equals(slot.version);
  }

  Map<Counter, Long> pending() {
    return pending;
  }

  /** The receiver surely has the version to be confirmed, though it has not said so yet. */
  void hasBase() {
    everFull |= stage == Stage.CONFIRM;
  }

  boolean hasWork() {
    return stage != Stage.FULL || !pending.isEmpty() || stretched != null;
  }

  void pauseUntil(long nanos) {
    notBeforeNanos = nanos;
  }

  boolean mayGo(long nowNanos) {
    return nowNanos >= notBeforeNanos;
  }

  void changed(Counter counter, long chargedBefore) {
    pending.putIfAbsent(counter, chargedBefore);
  }

  void confirm() {
    if (stage == Stage.FULL) {
      stage = Stage.CONFIRM;
    }
    notBeforeNanos = Long.MIN_VALUE;
  }

  void startWhole() {
    stage = Stage.WHOLE;
    rest = null;
    stretched = null;
    everFull = false;
  }

  /** What a message told may not have arrived. */
  void lost(Map<Counter, Long> counters) {
    pending.putAll(counters); // those that changed again had changed for the first time then
    Stretched cut = stretched;
    stretched = null;
    if (cut != null) {
      pending.put(cut.counter(), cut.before());
    }
    if (stage == Stage.WHOLE) {
      rest = null;
    }
  }

  /** The receiver has taken in what it was told. */
  void taken(SlotCopy told) {
    switch (told.kind()) {
      case CONFIRM, WHOLE, LAST -> {
        stage = Stage.FULL;
        everFull = true;
        rest = null;
        has = told.version();
      }
      case FIRST, MORE -> {
        // there is more to come
      }
      case CHANGES -> has = told.version();
    }
  }

  /**
   * What is to be told next.
   *
   * @param sending takes the changed counters that it tells of
   */
  SlotCopy next(CopyStream.Parcel parcel, Map<Counter, Long> sending, Moment now) {
    parcel.addSlot();
    List<CounterCopy> counters = new ArrayList<>();
    Version version = slot.version;
    Kind kind = Kind.CONFIRM;
    switch (stage) {
      case CONFIRM ->
          version = has.term().equals(version.term()) ? has : new Version(version.term(), 0);
      case WHOLE -> {
        kind = whole(parcel, counters);
        version = begunAt;
      }
      case FULL -> {
        kind = Kind.CHANGES;
        boolean all = changes(parcel, counters, sending);
        version = all ? version : has;
      }
    }
    Version base = kind == Kind.CONFIRM ? has : version;
    return new SlotCopy(slot.number(), kind, version, base, slot.past().told(now), counters);
  }

  private Kind whole(CopyStream.Parcel parcel, List<CounterCopy> counters) {
    Iterator<Counter> left = rest;
    boolean first = left == null;
    if (left == null) {
      left = slot.all().iterator();
      rest = left;
      begunAt = slot.version;
    }
    addStretch(parcel, counters, new LinkedHashMap<>());
    while (stretched == null && left.hasNext() && hasRoom(parcel, counters)) {
      Counter next = left.next();
      if (parcel.takes(next)) {
        add(next, 0, parcel, counters);
      }
    }
    boolean last = stretched == null && !left.hasNext();
    if (first) {
      return last ? Kind.WHOLE : Kind.FIRST;
    }
    return last ? Kind.LAST : Kind.MORE;
  }

  /** Adds counters that changed; whether those are all. */
  private boolean changes(
      CopyStream.Parcel parcel, List<CounterCopy> counters, Map<Counter, Long> sending) {
    addStretch(parcel, counters, sending);
    Iterator<Map.Entry<Counter, Long>> waiting = pending.entrySet().iterator();
    while (stretched == null && waiting.hasNext() && hasRoom(parcel, counters)) {
      Map.Entry<Counter, Long> next = waiting.next();
      Counter counter = next.getKey();
      long before = next.getValue();
      waiting.remove();
      add(counter, before, parcel, counters);
      if (stretched == null) {
        sending.put(counter, before);
      }
    }
    return stretched == null && pending.isEmpty();
  }

  private static boolean hasRoom(CopyStream.Parcel parcel, List<CounterCopy> counters) {
    return parcel.hasRoom() && counters.size() < SlotCopy.MAX_COUNTERS;
  }

  private void add(
      Counter counter, long before, CopyStream.Parcel parcel, List<CounterCopy> counters) {
    // One that has left the table, as it was idle, may have a successor, which is what counts.
    Counter successor = slot.get(counter.key());
    Counter current = successor == null ? counter : successor;
    stretched = new Stretched(counter, before, parcel.look(current), 0);
    addStretch(parcel, counters, new LinkedHashMap<>());
  }

  private void addStretch(
      CopyStream.Parcel parcel, List<CounterCopy> counters, Map<Counter, Long> sending) {
    Stretched cut = stretched;
    if (cut == null) {
      return;
    }
    CounterCopy copy = parcel.stretch(cut.counter().key(), cut.whole(), cut.next());
    counters.add(copy);
    if (copy.isLast()) {
      sending.put(cut.counter(), cut.before());
      stretched = null;
    } else {
      int next = cut.next() + copy.words().length;
      stretched = new Stretched(cut.counter(), cut.before(), cut.whole(), next);
    }
  }
}
