package io.ringfence.engine;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.algorithms.CounterState;
import io.ringfence.engine.message.CopiedMessage;
import io.ringfence.engine.message.CopiedMessage.Reason;
import io.ringfence.engine.message.CopiedMessage.Untaken;
import io.ringfence.engine.message.CopyMessage;
import io.ringfence.engine.message.CounterCopy;
import io.ringfence.engine.message.Ledger;
import io.ringfence.engine.message.SlotCopy;
import io.ringfence.engine.message.Term;
import io.ringfence.engine.message.Version;
import io.ringfence.membership.MemberId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Takes in the copies that others send.
 *
 * <p>A copy is full once its last part is here, and stays what it was until then: the parts of a
 * newer one overwrite counters one by one, and what the newer one lacks is forgotten at its end. So
 * whoever dies in the middle of sending leaves a copy that knows at least as much as before.
 *
 * <p>Of one sender's messages the numbers ascend; one that was overtaken counts for nothing. Of one
 * slot the terms ascend; who sends in an older one has been replaced. Guarded by the monitor of
 * {@link Custody}.
 */
final class CopyReceipt {
  private static final int MAX_EARLY = 64;

  private final MemberId self;
  private final Slots slots;
  private final EnginePorts ports;
  private final Map<MemberId, Long> lastNumbers = new HashMap<>();
  private final Map<MemberId, CopyMessage> early = new HashMap<>(); // at most MAX_EARLY
  private final Map<Integer, Incoming> incoming = new HashMap<>(); // whole copies not at their end
  private final BitSet confirmed = new BitSet(); // slots of which their owner said so in this view

  CopyReceipt(MemberId self, Slots slots, EnginePorts ports) {
    this.self = self;
    this.slots = slots;
    this.ports = ports;
  }

  /** A copy that is being received. */
  private static final class Incoming {
    private final MemberId sender;
    private final Term term;
    private final Set<CounterKey> seen = new HashSet<>(); // told of since the copy began
    private boolean whole; // whether a whole copy is under way; else only a long counter is
    private @Nullable Assembly assembly; // the counter that comes in stretches

    Incoming(MemberId sender, Term term, boolean whole) {
      this.sender = sender;
      this.term = term;
      this.whole = whole;
    }
  }

  private static final class Assembly {
    private final CounterKey key;
    private final int total;
    private final Ledger ledger;
    private long[] words = {}; // grows with what has come
    private int filled;

    Assembly(CounterKey key, CounterCopy first) {
      this.key = key;
      this.total = first.total();
      this.ledger = first.ledger();
    }

    boolean continuesWith(CounterKey next, CounterCopy copy) {
      return key.equals(next) && filled == copy.from() && total == copy.total();
    }

    void add(long[] stretch) {
      if (filled + stretch.length > words.length) {
        words = Arrays.copyOf(words, Math.min(total, 2 * (filled + stretch.length)));
      }
      System.arraycopy(stretch, 0, words, filled, stretch.length);
      filled += stretch.length;
    }
  }

  /** A message in a view that this node does not have yet; the latest of each sender is kept. */
  void keepForLater(MemberId from, CopyMessage message) {
    if (early.size() < MAX_EARLY || early.containsKey(from)) {
      early.put(from, message);
    }
  }

  /** Takes in what came too early for this view, and returns what is to be answered. */
  Map<MemberId, CopiedMessage> takeKept(Topology topology) {
    Map<MemberId, CopiedMessage> answers = new HashMap<>();
    early.forEach(
        (from, message) -> {
          boolean counts = message.view().equals(topology.name()) && topology.hasPresent(from);
          CopiedMessage copied = counts ? take(from, message, topology) : null;
          if (copied != null) {
            answers.put(from, copied);
          }
        });
    early.values().removeIf(message -> !message.view().isAfter(topology.name()));
    return answers;
  }

  /** Another view is in force: members that it does not list send nothing more. */
  void installed(Topology topology) {
    confirmed.clear();
    lastNumbers.keySet().removeIf(member -> !topology.view().contains(member));
    incoming.clear();
  }

  /** Forgets the slot's copy that is being received, and that the one here is full. */
  void forget(int slot) {
    incoming.remove(slot);
    confirmed.clear(slot);
  }

  /**
   * Whether the slot's owner has made sure, in this view, that the copy here is full. From then on
   * it waits for this copy where it waits for any.
   */
  boolean isConfirmed(int slot) {
    return confirmed.get(slot);
  }

  /** Takes a message in; null if it was overtaken. */
  @Nullable CopiedMessage take(MemberId from, CopyMessage message, Topology topology) {
    Long last = lastNumbers.get(from);
    if (last != null && message.number() <= last) {
      return null;
    }
    lastNumbers.put(from, message.number());
    Moment now = Moment.of(ports.clock());
    List<Untaken> untaken = new ArrayList<>();
    for (SlotCopy copy : message.slots()) {
      Reason reason = take(from, message.algorithms(), copy, topology, now);
      if (reason != null) {
        untaken.add(new Untaken(copy.slot(), reason));
      }
      noteConfirmed(from, copy, reason, topology);
    }
    return new CopiedMessage(message.number(), message.view(), untaken);
  }

  private void noteConfirmed(
      MemberId from, SlotCopy copy, @Nullable Reason untaken, Topology topology) {
    if (untaken == null && completes(copy) && topology.owns(from, copy.slot())) {
      confirmed.set(copy.slot());
    } else if (untaken == Reason.WANTS_WHOLE || untaken == Reason.NO_ROOM) {
      confirmed.clear(copy.slot()); // who hears this waits for this copy no more
    }
  }

  private static boolean completes(SlotCopy copy) {
    return copy.kind() == SlotCopy.Kind.CONFIRM || copy.kind().ends();
  }

  private @Nullable Reason take(
      MemberId from, List<Algorithm> algorithms, SlotCopy copy, Topology topology, Moment now) {
    if (copy.slot() >= slots.count()) {
      return Reason.OUTDATED;
    }
    Slot slot = slots.slot(copy.slot());
    Term term = copy.version().term();
    if (slot.isOpen() || term.compareTo(slot.version.term()) < 0) {
      return Reason.OUTDATED;
    }
    boolean isNext = self.equals(topology.nextOwnerOf(copy.slot()));
    if (completes(copy) && isNext && !ports.mayDecide()) {
      return Reason.NOT_YET;
    }
    if (copy.kind() == SlotCopy.Kind.CONFIRM) {
      return confirm(slot, copy);
    }
    if (copy.kind() == SlotCopy.Kind.CHANGES) {
      if (!slot.full || !slot.version.term().equals(term)) {
        return Reason.WANTS_WHOLE;
      }
    } else if (copy.kind().begins()) {
      incoming.put(copy.slot(), new Incoming(from, term, true));
    }
    Incoming under = incoming.get(copy.slot());
    if (under != null && (!under.sender.equals(from) || !under.term.equals(term))) {
      incoming.remove(copy.slot());
      under = null;
    }
    boolean continues = copy.kind() == SlotCopy.Kind.MORE || copy.kind() == SlotCopy.Kind.LAST;
    if (continues && (under == null || !under.whole)) {
      return Reason.WANTS_WHOLE;
    }
    if (under == null) {
      under = new Incoming(from, term, false);
    }
    for (CounterCopy counter : copy.counters()) {
      Reason reason = take(slot, under, algorithms, counter, now);
      if (reason != null) {
        incoming.remove(copy.slot());
        return reason;
      }
    }
    if (copy.kind().ends()) {
      if (isNext && !slots.hasRoomFor(slot)) {
        incoming.remove(copy.slot());
        return Reason.NO_ROOM;
      }
      forgetUnseen(slot, under);
      incoming.remove(copy.slot());
    } else if (under.whole || under.assembly != null) {
      incoming.put(copy.slot(), under);
    } else {
      incoming.remove(copy.slot());
    }
    if (copy.kind().ends() || copy.kind() == SlotCopy.Kind.CHANGES) {
      has(slot, copy);
    }
    return null;
  }

  private @Nullable Reason confirm(Slot slot, SlotCopy copy) {
    Version base = copy.base();
    boolean known =
        slot.full
            && slot.version.term().equals(base.term())
            && slot.version.batch() >= base.batch();
    if (!known) {
      return Reason.WANTS_WHOLE;
    }
    has(slot, copy);
    return null;
  }

  private void has(Slot slot, SlotCopy copy) {
    slot.full = true;
    if (copy.version().term().compareTo(slot.version.term()) > 0) {
      slot.begin(copy.version().term(), false);
    }
    if (copy.version().compareTo(slot.version) > 0) {
      slot.version = copy.version();
    }
    slot.setPast(Slot.Past.of(copy.knowledge(), ports.clock()));
  }

  private void forgetUnseen(Slot slot, Incoming under) {
    for (Counter counter : slot.all()) {
      if (!under.seen.contains(counter.key())) {
        slots.forget(counter);
      }
    }
  }

  private @Nullable Reason take(
      Slot slot, Incoming under, List<Algorithm> algorithms, CounterCopy copy, Moment now) {
    CounterKey key = slots.keyOf(copy.limitId(), copy.values());
    if (copy.algorithm() >= algorithms.size()) {
      return Reason.WANTS_WHOLE;
    }
    long[] words = copy.words();
    Ledger ledger = copy.ledger();
    if (!copy.isWhole()) {
      Assembly assembly = under.assembly;
      if (copy.from() == 0) {
        assembly = new Assembly(key, copy);
        under.assembly = assembly;
      }
      if (assembly == null || !assembly.continuesWith(key, copy)) {
        return Reason.WANTS_WHOLE;
      }
      assembly.add(words);
      if (!copy.isLast()) {
        return null;
      }
      words = Arrays.copyOf(assembly.words, assembly.filled);
      ledger = assembly.ledger;
    }
    under.assembly = null;
    Algorithm algorithm = algorithms.get(copy.algorithm());
    CounterState state;
    try {
      state = algorithm.restore(words, now.on(algorithm.timeline()));
    } catch (IllegalArgumentException nonsense) {
      return Reason.OUTDATED;
    }
    if (under.whole) {
      under.seen.add(key);
    }
    long told =
        copy.toldNanos() == 0
            ? 0
            : now.elapsedNanos() + Math.min(copy.toldNanos(), Long.MAX_VALUE - now.elapsedNanos());
    Counter made = new Counter(key, slot, copy.account(), algorithm, state);
    History history = History.of(ledger, under.term, now.elapsedNanos());
    return put(made, told, history) ? null : Reason.NO_ROOM;
  }

  /** Puts a counter in the place of what is there; false if there is no room. */
  private boolean put(Counter made, long toldUntilNanos, @Nullable History history) {
    while (true) {
      Counter counter = slots.copyIn(made.slot(), made);
      if (counter == null) {
        return false;
      }
      synchronized (counter) {
        if (!counter.removed()) {
          counter.become(made, toldUntilNanos, history);
          return true;
        }
      }
    }
  }
}
