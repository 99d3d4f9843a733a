package io.ringfence.engine;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.engine.message.CopiedMessage;
import io.ringfence.engine.message.CopyMessage;
import io.ringfence.engine.message.CounterCopy;
import io.ringfence.engine.message.Ledger;
import io.ringfence.engine.message.SlotCopy;
import io.ringfence.engine.message.Version;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.ViewName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What this node sends to one member so that it has copies of slots.
 *
 * <p>One message is under way at a time; the next takes up whatever has changed by then, each
 * counter once and as it stands. So a receiver that is slow gets fewer and fuller messages, a
 * counter that is charged a thousand times between two of them crosses the wire once, and what
 * waits is never more than the counters there are. A message that is not acknowledged counts for
 * nothing: all that it told is told again, as it stands then. As counters go whole, it does not
 * matter how much of a lost message arrived.
 *
 * <p>The states of one slot's copying are those of {@link Copying}. Guarded by the monitor of
 * {@link Custody}; nothing blocks.
 */
final class CopyStream {
  static final long RESEND_NANOS = 250_000_000L;
  private static final long UP_TO_DATE = Long.MIN_VALUE;
  private static final long ROOM_PAUSE_NANOS = 1_000_000_000L;
  private static final long SHORT_PAUSE_NANOS = 10_000_000L;

  /** A message is sent once it holds so much; one counter more may exceed it. */
  private static final int ENOUGH_BYTES = 128 << 10;

  private final MemberId receiver;
  private final EnginePorts ports;
  private final LongSupplier numbers; // of messages, ascending for the receiver
  private final Predicate<Counter> copied; // which counters are sent
  private final Map<Integer, Copying> slots = new HashMap<>();
  private final Deque<Copying> due = new ArrayDeque<>(); // those marked as queued, once each
  private @Nullable Sent sent; // the message under way
  // since when a full copy lacks something, as far as is known here
  private long behindSinceNanos = UP_TO_DATE;

  /**
   * A stream of no slots yet.
   *
   * @param numbers of messages, each larger than all before
   * @param copied which counters are sent
   */
  CopyStream(
      MemberId receiver, EnginePorts ports, LongSupplier numbers, Predicate<Counter> copied) {
    this.copied = copied;
    this.receiver = receiver;
    this.ports = ports;
    this.numbers = numbers;
  }

  /** A message under way. */
  private record Sent(long number, long atNanos, Map<Integer, Part> parts) {}

  /** What it tells of one slot. */
  private record Part(Copying copying, SlotCopy told, Map<Counter, Long> counters) {}

  MemberId receiver() {
    return receiver;
  }

  /**
   * Copies the slot from now on.
   *
   * @param base a version that the receiver may have and go on from; null to send a whole copy
   */
  void want(Slot slot, @Nullable Version base) {
    if (!slots.containsKey(slot.number())) {
      Copying copying = new Copying(slot, base);
      slots.put(slot.number(), copying);
      enqueue(copying);
    }
  }

  /** The receiver surely has the version that copying this slot began with. */
  void hasBase(int slot) {
    Copying copying = slots.get(slot);
    if (copying != null) {
      copying.hasBase();
    }
  }

  /** Copies the slot no more. */
  void drop(int slot) {
    Copying dropped = slots.remove(slot);
    if (dropped != null) {
      due.remove(dropped);
    }
  }

  /** Which slots are copied. */
  List<Slot> copied() {
    return slots.values().stream().map(Copying::slot).toList();
  }

  /**
   * A counter of a slot that is copied has changed.
   *
   * @param chargedBefore what had been charged to it before
   */
  void changed(Counter counter, long chargedBefore) {
    Copying copying = slots.get(counter.slot().number());
    if (copying != null && copied.test(counter)) {
      copying.changed(counter, chargedBefore);
      enqueue(copying);
      if (copying.isKnown() && behindSinceNanos == UP_TO_DATE) {
        behindSinceNanos = ports.clock().elapsedNanos();
      }
    }
  }

  /**
   * Whether the receiver has a full copy, as confirmed in this view, but for what changed since.
   */
  boolean isFull(int slot) {
    Copying copying = slots.get(slot);
    return copying != null && copying.isFull();
  }

  /** Whether it has everything. */
  boolean isCaughtUp(int slot) {
    Copying copying = slots.get(slot);
    return copying != null && copying.isCaughtUp() && !isUnderWay(slot);
  }

  /**
   * Counters of the slot of which the receiver may not know the latest, each with what had been
   * charged to it as far as the receiver surely knows; null where it may know nothing.
   */
  @Nullable Map<Counter, Long> unknown(int slot) {
    Copying copying = slots.get(slot);
    if (copying == null || !copying.isKnown()) {
      return null;
    }
    Map<Counter, Long> unknown = new HashMap<>(copying.pending());
    Part part = sent == null ? null : sent.parts().get(slot);
    if (part != null) {
      unknown.putAll(part.counters());
    }
    return unknown;
  }

  /** What the receiver surely has of a slot; null where it may not have a full copy. */
  @Nullable Version has(int slot) {
    Copying copying = slots.get(slot);
    return copying == null ? null : copying.has();
  }

  /** For how long the receiver's full copies have lacked something, 0 if they lack nothing. */
  long lagNanos(long nowNanos) {
    return behindSinceNanos == UP_TO_DATE ? 0 : nowNanos - behindSinceNanos;
  }

  /** Another view is in force: what counted in the one before is confirmed anew. */
  void confirmAll() {
    lost();
    for (Copying copying : slots.values()) {
      copying.confirm();
      enqueue(copying);
    }
  }

  /** The connection broke: what is under way may be lost. */
  void lost() {
    Sent last = sent;
    sent = null;
    if (last != null) {
      for (Part part : last.parts().values()) {
        part.copying().lost(part.counters());
        enqueue(part.copying());
      }
    }
  }

  /** Sends what is due, unless a message is under way. */
  void turn(ViewName view) {
    Moment now = Moment.of(ports.clock());
    Sent last = sent;
    if (last != null && now.elapsedNanos() - last.atNanos() >= RESEND_NANOS) {
      lost();
    }
    if (sent != null || due.isEmpty()) {
      return;
    }
    Parcel parcel = new Parcel(now, copied);
    Map<Integer, Part> parts = new HashMap<>();
    List<Copying> later = new ArrayList<>();
    while (!due.isEmpty() && parcel.hasRoom() && parts.size() < CopyMessage.MAX_SLOTS) {
      Copying copying = due.poll();
      copying.setQueued(false);
      if (slots.get(copying.slot().number()) != copying || !copying.hasWork()) {
        continue;
      }
      if (!copying.mayGo(now.elapsedNanos())) {
        later.add(copying);
        continue;
      }
      Map<Counter, Long> counters = new HashMap<>();
      SlotCopy told = copying.next(parcel, counters, now);
      parts.put(copying.slot().number(), new Part(copying, told, counters));
    }
    later.forEach(this::enqueue);
    if (parts.isEmpty()) {
      return;
    }
    long number = numbers.getAsLong();
    sent = new Sent(number, now.elapsedNanos(), parts);
    List<SlotCopy> told = parts.values().stream().map(Part::told).toList();
    CopyMessage message = new CopyMessage(number, view, parcel.algorithms(), told);
    if (!ports.transport().send(receiver, message)) {
      lost();
    }
  }

  /**
   * The receiver acknowledges a message.
   *
   * @return whether it was the one under way
   */
  boolean acknowledged(CopiedMessage copied, long nowNanos) {
    Sent last = sent;
    if (last == null || last.number() != copied.number()) {
      return false;
    }
    sent = null;
    Map<Integer, CopiedMessage.Reason> reasons = new HashMap<>();
    copied.untaken().forEach(untaken -> reasons.put(untaken.slot(), untaken.reason()));
    for (Map.Entry<Integer, Part> entry : last.parts().entrySet()) {
      Part part = entry.getValue();
      CopiedMessage.Reason reason = reasons.get(entry.getKey());
      if (reason == null) {
        part.copying().taken(part.told());
      } else {
        part.copying().lost(part.counters());
        notTaken(part.copying(), reason, nowNanos);
      }
      if (part.copying().hasWork()) {
        enqueue(part.copying());
      }
    }
    boolean behind = due.stream().anyMatch(left -> left.isKnown() && !left.pending().isEmpty());
    behindSinceNanos = behind ? last.atNanos() : UP_TO_DATE;
    return true;
  }

  private void notTaken(Copying copying, CopiedMessage.Reason reason, long nowNanos) {
    switch (reason) {
      case WANTS_WHOLE -> copying.startWhole();
      case NO_ROOM -> {
        ports.metrics().overflow("copies");
        copying.startWhole();
        copying.pauseUntil(nowNanos + ROOM_PAUSE_NANOS);
      }
      case NOT_YET -> copying.pauseUntil(nowNanos + SHORT_PAUSE_NANOS);
      case OUTDATED -> copying.pauseUntil(nowNanos + RESEND_NANOS);
    }
  }

  /** Whether copying goes on at once, without waiting for more changes to come together. */
  boolean isBusy() {
    return due.stream().anyMatch(copying -> !copying.isFull());
  }

  private boolean isUnderWay(int slot) {
    return sent != null && sent.parts().containsKey(slot);
  }

  private void enqueue(Copying copying) {
    if (!copying.isQueued() && slots.get(copying.slot().number()) == copying) {
      copying.setQueued(true);
      due.add(copying);
    }
  }

  /** Counters on their way into a message. */
  static final class Parcel {
    private final Moment now;
    private final Map<Algorithm, Integer> algorithms = new HashMap<>();
    private final List<Algorithm> inOrder = new ArrayList<>();
    private final Predicate<Counter> copied;
    private int bytes;

    Parcel(Moment now, Predicate<Counter> copied) {
      this.now = now;
      this.copied = copied;
    }

    /** Whether that counter is sent at all. */
    boolean takes(Counter counter) {
      return copied.test(counter);
    }

    boolean hasRoom() {
      return bytes < ENOUGH_BYTES && inOrder.size() < CopyMessage.MAX_ALGORITHMS;
    }

    void addSlot() {
      bytes += 64;
    }

    List<Algorithm> algorithms() {
      return inOrder;
    }

    /** The counter as it stands. */
    Whole look(Counter counter) {
      synchronized (counter) {
        return new Whole(
            counter.algorithm(),
            counter.account(),
            counter.toldNanos(now),
            counter.words(now),
            counter.ledger(now));
      }
    }

    /** The counter, or if that is too long for one message, the stretch that begins there. */
    CounterCopy stretch(CounterKey key, Whole whole, int from) {
      int place =
          algorithms.computeIfAbsent(
              whole.algorithm(),
              algorithm -> {
                inOrder.add(algorithm);
                return inOrder.size() - 1;
              });
      long[] words = whole.words();
      int to = Math.min(words.length, from + CounterCopy.MAX_WORDS);
      long[] stretch = words;
      if (to - from < words.length) {
        stretch = Arrays.copyOfRange(words, from, to);
      }
      bytes +=
          48
              + key.values().length
              + Long.BYTES * stretch.length
              + 24 * whole.ledger().debits().size();
      return new CounterCopy(
          key.limitId(),
          key.values(),
          place,
          whole.account(),
          whole.toldNanos(),
          from,
          words.length,
          stretch,
          from == 0 ? whole.ledger() : Ledger.EMPTY);
    }
  }

  /** A counter's whole state. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Whole(Algorithm algorithm, int account, long toldNanos, long[] words, Ledger ledger) {}
}
