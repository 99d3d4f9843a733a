package io.ringfence.engine;

import io.ringfence.engine.message.CopiedMessage;
import io.ringfence.engine.message.Version;
import io.ringfence.membership.MemberId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The copies that other members keep of the slots that are open here: who should have one, what has
 * changed since, how far behind they are, and which answers wait for them.
 *
 * <p>Copies go to the backup, and while a slot moves to its next owner and its next backup too. A
 * rule may want none: then its counters are left out, unless the slot moves.
 *
 * <p>Guarded by the monitor of {@link Custody}, but for {@link #isBehind}, which any thread may
 * call.
 */
final class Copies {
  /** Answers that may wait; a caller beyond them is answered as if no copy came. */
  private static final int MAX_WAITS = 65_536;

  private final MemberId self;
  private final Slots slots;
  private final Changes changes;
  private final EnginePorts ports;
  private final Checkpoint checkpoint;
  private final Kept kept;
  private final long maxLagNanos;
  private final Map<MemberId, CopyStream> streams = new HashMap<>();
  private final Set<CopyWait> waits = new LinkedHashSet<>();
  private final Set<MemberId> dead =
      new TreeSet<>(); // who died in this view: nobody copies to them
  private @Nullable Topology topology; // null while this node is in no view
  private long lastNumber; // of messages

  private volatile Set<MemberId> behind = Set.of(); // whose copies lag too far; replaced at once

  /** No copies yet. */
  Copies(
      Slots slots, Changes changes, EnginePorts ports, Checkpoint checkpoint, Custody.Owner owner) {
    this.self = owner.self();
    this.slots = slots;
    this.changes = changes;
    this.ports = ports;
    this.checkpoint = checkpoint;
    this.kept = owner.kept();
    this.maxLagNanos = owner.maxLagNanos();
  }

  /** Of which counters backups have copies. A slot that moves takes all of its counters along. */
  interface Kept {
    /** Whether of all. */
    boolean all();

    /** Whether of those of that limit. */
    boolean has(long limitId);
  }

  /**
   * Another view is in force. What is not open here any more, or not for them, is not copied to
   * members any more; the rest is confirmed anew.
   */
  void installed(Topology after) {
    topology = after;
    dead.clear();
    streams.keySet().removeIf(receiver -> !after.hasPresent(receiver));
    for (CopyStream stream : streams.values()) {
      for (Slot slot : stream.copied()) {
        boolean goesOn = slot.isOpen() && isReceiver(after, slot.number(), stream.receiver());
        if (!goesOn) {
          stream.drop(slot.number());
        }
      }
      stream.confirmAll();
    }
    lookForLag();
  }

  /** A member died in this view: no answer waits for its copies. */
  void died(MemberId member) {
    dead.add(member);
    streams.remove(member);
    lookForLag();
  }

  /** Nothing is open here any more. */
  void clear() {
    streams.clear();
    topology = null;
    behind = Set.of();
  }

  /** The stream to that member, begun where there is none. */
  CopyStream to(MemberId member) {
    return streams.computeIfAbsent(
        member, receiver -> new CopyStream(receiver, ports, () -> ++lastNumber, this::isCopied));
  }

  /**
   * The slot is open here, or about to be: whoever should have a copy gets one.
   *
   * @param base a version that they may have already; null to send whole copies
   */
  void start(Topology current, Slot slot, @Nullable Version base) {
    boolean copied = want(current.backupOf(slot.number()), slot, base);
    copied |= want(current.nextOwnerOf(slot.number()), slot, base);
    copied |= want(keeperOf(current, slot.number()), slot, base);
    slot.setCopied(checkpoint.isOn() || copied);
  }

  /**
   * The slot was passed to this node, and whoever passed it made sure that its next backup has what
   * it was passed with. So what is charged from now on can be waited for.
   */
  void backupHasWhatWasPassed(Topology current, int slot) {
    MemberId backup = keeperOf(current, slot);
    if (backup != null && !backup.equals(self)) {
      to(backup).hasBase(slot);
    }
  }

  /** The slot is with another member now. */
  void stop(Slot slot) {
    slot.setCopied(false);
    streams.values().forEach(stream -> stream.drop(slot.number()));
  }

  /** The next owner of a slot may have a copy as its backup, and is to have all counters now. */
  void addWhatIsNotKept(Topology current, Slot slot) {
    MemberId next = current.nextOwnerOf(slot.number());
    if (next == null || kept.all()) {
      return;
    }
    for (Counter counter : slot.all()) {
      if (!kept.has(counter.key().limitId())) {
        to(next).changed(counter, 0);
      }
    }
  }

  /** What is not kept is stale in a copy, if it is there at all. */
  void forgetWhatIsNotKept(Slot slot) {
    if (!kept.all()) {
      for (Counter counter : slot.all()) {
        if (!kept.has(counter.key().limitId())) {
          slots.forget(counter);
        }
      }
    }
  }

  /** Takes up what has changed; all changes of a slot that are found together are one batch. */
  void collectChanges() {
    BitSet counted = new BitSet();
    for (Counter counter = changes.poll(); counter != null; counter = changes.poll()) {
      Slot slot = counter.slot();
      long chargedBefore;
      synchronized (counter) {
        chargedBefore = counter.copying();
      }
      if (!counted.get(slot.number()) && isCopied(counter)) {
        counted.set(slot.number());
        slot.version = new Version(slot.version.term(), slot.version.batch() + 1);
      }
      for (CopyStream stream : streams.values()) {
        stream.changed(counter, chargedBefore);
      }
      checkpoint.changed(counter);
    }
  }

  /** Sends what is due. */
  void turn() {
    Topology current = topology;
    if (current != null) {
      streams.values().forEach(stream -> stream.turn(current.name()));
    }
  }

  /** A member acknowledges a message; null if it was not the one under way. */
  @Nullable CopyStream acknowledged(MemberId from, CopiedMessage copied) {
    CopyStream stream = streams.get(from);
    long now = ports.clock().elapsedNanos();
    return stream != null && stream.acknowledged(copied, now) ? stream : null;
  }

  /** The connection to a member broke. */
  void disconnected(MemberId member) {
    CopyStream stream = streams.get(member);
    if (stream != null) {
      stream.lost();
    }
  }

  /**
   * Counters of the slot of which its backup, or whoever is to keep its copy, may not know the
   * latest, each with what had been charged to it as far as they surely know; null where one of
   * them may know nothing.
   */
  @Nullable Map<Counter, Long> unknownToBackups(int slot) {
    Topology current = topology;
    Set<MemberId> backups = current == null ? Set.of() : backupsOf(current, slot);
    if (backups.isEmpty()) {
      return null;
    }
    Map<Counter, Long> unknown = new HashMap<>();
    for (MemberId backup : backups) {
      CopyStream stream = streams.get(backup);
      Map<Counter, Long> itself = stream == null ? null : stream.unknown(slot);
      if (itself == null) {
        return null;
      }
      itself.forEach((counter, known) -> unknown.merge(counter, known, Math::min));
    }
    return unknown;
  }

  /** Whoever may decide next by its copy. */
  private static Set<MemberId> backupsOf(Topology current, int slot) {
    Set<MemberId> backups = new HashSet<>();
    MemberId backup = current.backupOf(slot);
    if (backup != null) {
      backups.add(backup);
    }
    MemberId keeper = keeperOf(current, slot);
    if (keeper != null) {
      backups.add(keeper);
    }
    return backups;
  }

  /** Whether the slot would survive its owner. */
  boolean isProtected(Topology current, int slot) {
    MemberId next = current.nextBackupOf(slot);
    MemberId now = current.backupOf(slot);
    return next == null || isFull(next, slot) || (now != null && isFull(now, slot));
  }

  /** Whether a member has a full copy, as confirmed in this view. */
  boolean isFull(MemberId member, int slot) {
    CopyStream stream = streams.get(member);
    return stream != null && stream.isFull(slot);
  }

  /** Notes whose copies are too far behind. */
  void lookForLag() {
    long now = ports.clock().elapsedNanos();
    Set<MemberId> lagging = new TreeSet<>();
    for (CopyStream stream : streams.values()) {
      if (stream.lagNanos(now) > maxLagNanos) {
        lagging.add(stream.receiver());
      }
    }
    if (!lagging.equals(behind)) {
      behind = Set.copyOf(lagging);
    }
  }

  /** Whether a copy of the slot lags so far that checks must wait for it. Never blocks. */
  boolean isBehind(Topology current, int slot) {
    Set<MemberId> lagging = behind;
    return !lagging.isEmpty() && backupsOf(current, slot).stream().anyMatch(lagging::contains);
  }

  /** How far behind the copy is that is furthest behind, in nanoseconds. */
  long lagNanos() {
    long now = ports.clock().elapsedNanos();
    return streams.values().stream().mapToLong(stream -> stream.lagNanos(now)).max().orElse(0);
  }

  /** Lets an answer wait for all that has changed so far; false if there is no room. */
  boolean add(CopyWait wait) {
    if (waits.size() >= MAX_WAITS) {
      ports.metrics().overflow("copy_waits");
      return false;
    }
    collectChanges();
    wait.needs(slot -> slots.slot(slot).version);
    waits.add(wait);
    turn();
    return true;
  }

  /** Whether answers wait for copies. */
  boolean hasWaits() {
    return !waits.isEmpty();
  }

  void remove(CopyWait wait) {
    waits.remove(wait);
  }

  /** Takes out the answers that need not wait any more. */
  List<CopyWait> over() {
    Topology current = topology;
    if (waits.isEmpty() || current == null) {
      return List.of();
    }
    List<CopyWait> over = new ArrayList<>();
    for (Iterator<CopyWait> all = waits.iterator(); all.hasNext(); ) {
      CopyWait wait = all.next();
      if (wait.isCopied((slot, version) -> isCopied(current, slot, version))) {
        all.remove();
        over.add(wait);
      }
    }
    return over;
  }

  /**
   * Whether a charge outlives this node. Where the slot moves several have copies; once whoever is
   * to keep it has a full one, only that counts: the others forget theirs with the settled view,
   * which may come to them first.
   */
  private boolean isCopied(Topology current, int number, Version version) {
    if (!slots.slot(number).isOpen()) {
      // Closed to be passed on: who opens it next has everything.
      MemberId next = current.movedTo(number);
      return next != null && !next.equals(self);
    }
    MemberId keeper = keeperOf(current, number);
    CopyStream lasting = keeper == null ? null : streams.get(keeper);
    Version keeps = lasting == null ? null : lasting.has(number);
    if (keeps != null) {
      return keeps.compareTo(version) >= 0;
    }
    boolean anyFull = false;
    for (CopyStream stream : streams.values()) {
      Version has = stream.has(number);
      anyFull |= has != null;
      if (has != null && has.compareTo(version) >= 0) {
        return true;
      }
    }
    return !anyFull;
  }

  private boolean isCopied(Counter counter) {
    return kept.has(counter.key().limitId())
        || (topology != null && !self.equals(topology.nextOwnerOf(counter.slot().number())));
  }

  /** Whether the slot should be copied to that member, another than this node. */
  private static boolean isReceiver(Topology current, int slot, MemberId member) {
    return member.equals(current.backupOf(slot))
        || member.equals(current.nextOwnerOf(slot))
        || member.equals(keeperOf(current, slot));
  }

  /**
   * Who keeps the copy once the slot has moved: its next backup; where there will be none, as only
   * one member stays, whoever owned it goes on with its copy for as long as it is there.
   */
  private static @Nullable MemberId keeperOf(Topology current, int slot) {
    MemberId backup = current.nextBackupOf(slot);
    return backup == null ? current.ownerOf(slot) : backup;
  }

  private boolean want(@Nullable MemberId receiver, Slot slot, @Nullable Version base) {
    if (receiver == null || receiver.equals(self) || dead.contains(receiver)) {
      return false;
    }
    to(receiver).want(slot, base);
    return true;
  }
}
