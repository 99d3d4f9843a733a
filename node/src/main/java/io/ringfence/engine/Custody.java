package io.ringfence.engine;

import io.ringfence.engine.message.CopiedMessage;
import io.ringfence.engine.message.CopyMessage;
import io.ringfence.engine.message.FetchMessage;
import io.ringfence.engine.message.InventoryMessage;
import io.ringfence.engine.message.InventoryRequest;
import io.ringfence.engine.message.Knowledge;
import io.ringfence.engine.message.Late;
import io.ringfence.engine.message.PassMessage;
import io.ringfence.engine.message.PassMessage.Passed;
import io.ringfence.engine.message.SlotMessage;
import io.ringfence.engine.message.TakenMessage;
import io.ringfence.engine.message.Version;
import io.ringfence.engine.message.ViewRequest;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.View;
import io.ringfence.membership.ViewName;
import io.ringfence.membership.ViewStamp;
import io.ringfence.ring.RingSettings;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which slots this node decides for, who has copies of them, and how both change as views come.
 *
 * <p>At most one node with a lease has a slot open. That rests on four rules. A slot is opened by
 * whom its last decider passed it to, in the view in which it was passed ({@link Passing}); or by
 * its owner in the base of a view, once all who take part in that view have said that it is open
 * nowhere, and whoever departed cannot be deciding any more ({@link Opening}); or in a settled view
 * by its backup, once its owner has died in that view, if that had confirmed in it that the copy is
 * full; and whoever is not in a view, or away in it, closes everything. Who decides for a slot
 * sends copies of it to its backup and, while it moves, to its next owner and next backup ({@link
 * CopyStream}, {@link CopyReceipt}). No time limit opens a slot, and no copy is forgotten before a
 * settled view says that all are where they belong.
 *
 * <p>Every opening begins a term, later than all before. Copies are compared by term and batch, so
 * an old copy can not stand in for a newer one, nor an old decider write over it.
 *
 * <p>A process that starts a lineage and was in no view before has missed nothing: its slots are
 * known from the beginning. A slot opened from a copy may lack what was not copied yet: answers say
 * `recovered`, or `assumed` where there was no copy, until nothing from before can matter.
 *
 * <p>Thread-safe: one monitor guards all of it, and is never held while a check is decided. Locks
 * of counters are taken inside the monitor, never the other way round.
 */
final class Custody {
  private final MemberId self;
  private final RingSettings settings;
  private final Slots slots;
  private final EnginePorts ports;
  private final Owner owner;
  private final CopyReceipt receipt;
  private final Copies copies;
  private final Checkpoint checkpoint;

  private volatile @Nullable Topology topology;

  // All below is guarded by this.
  private boolean heldView; // whether this process was ever in a view
  private boolean left; // whether it is in none any more, and keeps what it held
  // what others may not know, if they decided in this node's place
  private final List<Owed.Debt> owedIfReplaced = new ArrayList<>();
  private @Nullable Opening opening; // null while this node takes no part
  private @Nullable Passing passing; // likewise
  // who asked for an inventory in a view that this node does not have yet; one a member
  private final Map<MemberId, ViewName> earlyRequests = new HashMap<>();
  private boolean done; // whether everything is where it belongs by this view
  private BitSet found = new BitSet(); // slots of which it turned out who decides, in this call

  /**
   * What custody needs of the engine.
   *
   * @param self this node
   * @param found is told of which slots it turned out who decides for them: mostly this node;
   *     called outside the monitor
   * @param late takes what this node charged and whoever decides next may not know; called inside
   *     the monitor
   * @param kept of which limits' counters backups have copies
   * @param maxLagNanos how far behind a copy may be before checks wait for it
   */
  record Owner(
      MemberId self,
      Consumer<BitSet> found,
      Consumer<Owed.Debt> late,
      Copies.Kept kept,
      long maxLagNanos) {}

  /** Custody of no slots yet. */
  Custody(RingSettings settings, Slots slots, Changes changes, EnginePorts ports, Owner owner) {
    this.self = owner.self();
    this.settings = settings;
    this.slots = slots;
    this.ports = ports;
    this.owner = owner;
    this.receipt = new CopyReceipt(self, slots, ports);
    this.checkpoint = new Checkpoint(slots, ports.clock());
    this.copies = new Copies(slots, changes, ports, checkpoint, owner);
  }

  /**
   * Keeps counters of long windows from now on, after what an earlier process of this node left.
   * That there was one means that windows may have begun before this start. To be called before
   * there is a view.
   */
  synchronized void begin(@Nullable SavedSlots earlier) {
    heldView |= earlier != null;
    checkpoint.begin(earlier == null ? new SavedSlots() : earlier);
  }

  /** What is to be written of it: what has changed, or all for a log that begins anew. */
  synchronized CheckpointBatch checkpoint(boolean all) {
    copies.collectChanges();
    return all ? checkpoint.all() : checkpoint.changes();
  }

  /** The view that this node goes by, and what it knows of where slots are; null without one. */
  @Nullable Topology topology() {
    return topology;
  }

  /** Makes a view the one that this node goes by. */
  Topology install(View view) {
    Topology after = Topology.of(view, settings);
    tellFound(() -> install(after));
    return after;
  }

  /**
   * This node is in no view any more: it decides nothing. What it holds it keeps until it is in one
   * again, as it may be the only one left, and begin a lineage alone.
   */
  void leave() {
    tellFound(
        () -> {
          closeAll();
          topology = null;
          left = true;
        });
  }

  /** Nobody who departed up to that view may still be deciding. */
  void departuresOver(ViewStamp view) {
    tellFound(
        () -> {
          Opening under = opening;
          if (under != null && isCurrent(view)) {
            under.departuresOver();
            openWhatMayBe();
          }
        });
  }

  /**
   * A member died in that settled view: the backups of its slots decide for them from now on, as
   * far as their copies are full; for the others the next view is waited for.
   */
  void died(ViewStamp view, MemberId member) {
    tellFound(() -> died(view, member, slot -> !slot.isEmpty())); // checks wait for these, if any
    tellFound(() -> died(view, member, slot -> true));
  }

  private void died(ViewStamp view, MemberId member, Predicate<Slot> which) {
    Topology current = topology;
    if (current != null && opening != null && isCurrent(view)) {
      copies.died(member);
      succeed(current, member, which);
    }
  }

  /** Whether all that this node has to do to settle that view is done. */
  synchronized boolean isDone(ViewStamp view) {
    if (!isCurrent(view)) {
      return false;
    }
    done = done || look();
    return done;
  }

  /** A member says something of slots. */
  void received(MemberId from, SlotMessage message) {
    tellFound(() -> take(from, message));
  }

  /** The connection to a member broke. */
  synchronized void disconnected(MemberId member) {
    copies.disconnected(member);
  }

  /** Sends what has changed, and goes on with what waits. To be called every few milliseconds. */
  void turn() {
    tellFound(
        () -> {
          openWhatMayBe();
          copies.collectChanges();
          goOn();
          copies.turn();
          copies.lookForLag();
        });
  }

  /** How the slots stand. */
  synchronized SlotCounts counts() {
    int open = 0;
    int unprotected = 0;
    Topology current = topology;
    for (int number = 0; current != null && number < slots.count(); number++) {
      if (slots.slot(number).isOpen()) {
        open++;
        unprotected += copies.isProtected(current, number) ? 0 : 1;
      }
    }
    Opening under = opening;
    Passing leaving = passing;
    return new SlotCounts(
        open,
        under == null ? 0 : under.left(),
        leaving == null ? 0 : leaving.left(),
        unprotected,
        slots.copies());
  }

  /** Whether the slot's copy lags so far that checks must wait for it. Never blocks. */
  boolean isBehind(int slot) {
    Topology current = topology;
    return current != null && copies.isBehind(current, slot);
  }

  /** How far behind the copy is that is furthest behind, in nanoseconds. */
  synchronized long lagNanos() {
    return copies.lagNanos();
  }

  /**
   * Lets an answer wait until all that was charged so far in its slots is copied: each to one
   * member that has a full copy, or to none where none has, as then there is nobody to wait for.
   */
  void whenCopied(CopyWait wait) {
    boolean[] waits = new boolean[1];
    tellFound(() -> waits[0] = copies.add(wait));
    if (!waits[0]) {
      wait.expired();
    } else if (!wait.isOver()) {
      long delayNanos = wait.deadlineNanos() - ports.clock().elapsedNanos();
      ports.timers().after(Math.max(0, delayNanos), () -> expire(wait));
    }
  }

  private void expire(CopyWait wait) {
    synchronized (this) {
      copies.remove(wait);
    }
    wait.expired();
  }

  private void tellFound(Runnable work) {
    BitSet news;
    List<CopyWait> over;
    synchronized (this) {
      work.run();
      over = copies.over();
      news = found;
      if (!news.isEmpty()) {
        found = new BitSet();
      }
    }
    if (!news.isEmpty()) {
      owner.found().accept(news);
    }
    over.forEach(CopyWait::copied);
  }

  private boolean isCurrent(ViewStamp view) {
    Topology current = topology;
    return current != null && current.view().stamp().equals(view);
  }

  private boolean isNamed(ViewName view) {
    Topology current = topology;
    return current != null && current.name().equals(view);
  }

  // Views.

  private void install(Topology after) {
    Topology before = topology;
    BitSet unpassed = passing == null ? new BitSet() : passing.unpassed();
    boolean foreign = before != null && !before.view().lineage().equals(after.view().lineage());
    boolean alone = after.view().epoch() == 1 && after.view().members().size() == 1;
    if (!after.hasPresent(self) || ((foreign || left) && !alone)) {
      closeAll();
      othersDecided();
      unpassed.clear();
    }
    owedIfReplaced.clear();
    left = false;
    topology = after;
    done = false;
    receipt.installed(after);
    if (!after.hasPresent(self)) {
      opening = null;
      passing = null;
      return;
    }
    for (int number = unpassed.nextSetBit(0);
        number >= 0;
        number = unpassed.nextSetBit(number + 1)) {
      slots.open(slots.slot(number));
      found.set(number);
    }
    if (after.view().settled()) {
      forgetWhatIsElsewhere(after);
    }
    copies.installed(after);
    boolean founding = !heldView && after.view().epoch() == 1;
    heldView = true;
    BitSet needed = new BitSet();
    BitSet leaving = new BitSet();
    for (int number = 0; number < slots.count(); number++) {
      Slot slot = slots.slot(number);
      if (slot.isOpen()) {
        copies.start(after, slot, null);
      } else if (founding && after.owns(self, number)) {
        open(after, slot, Slot.Past.WHOLE, false);
      } else if (after.owns(self, number)) {
        needed.set(number);
      }
      if (slot.isOpen() && !self.equals(after.nextOwnerOf(number))) {
        leaving.set(number);
        copies.addWhatIsNotKept(after, slot);
      }
    }
    opening = new Opening(self, slots, ports, after, needed);
    passing = new Passing(self, slots, ports, after, copies, leaving);
    openWhatMayBe();
    if (after.view().settled()) {
      checkpoint.claim(slot -> !self.equals(after.ownerOf(slot)), owner.late());
    }
    copies.turn();
    receipt.takeKept(after).forEach((from, copied) -> ports.transport().send(from, copied));
    earlyRequests.forEach(
        (from, view) -> {
          if (view.equals(after.name()) && after.hasPresent(from)) {
            tellInventory(from, after);
          }
        });
    earlyRequests.values().removeIf(view -> !view.isAfter(after.name()));
  }

  private void closeAll() {
    copies.collectChanges();
    BitSet unpassed = passing == null ? new BitSet() : passing.unpassed();
    for (int number = 0; number < slots.count(); number++) {
      Slot slot = slots.slot(number);
      boolean wasOpen = slot.isOpen();
      slots.close(slot);
      if (wasOpen || unpassed.get(number)) {
        copies.collectChanges();
        oweWhatOnlyThisNodeKnows(slot);
      }
      slot.setCopied(false);
      receipt.forget(number);
    }
    copies.clear();
    opening = null;
    passing = null;
  }

  /**
   * Whoever decides for the slot in this node's place knows what its copy knew. The rest is owed to
   * it, from what was surely copied on; where none had a copy, all that was charged here.
   */
  private void oweWhatOnlyThisNodeKnows(Slot slot) {
    Map<Counter, Long> unknown = copies.unknownToBackups(slot.number());
    Moment now = Moment.of(ports.clock());
    Collection<Counter> counters = unknown == null ? slot.all() : unknown.keySet();
    for (Counter counter : counters) {
      synchronized (counter) {
        if (!counter.removed()) {
          long from = counter.chargedFrom();
          long known = unknown == null ? from : unknown.getOrDefault(counter, from);
          owe(counter, new Late(slot.version.term(), from, Math.max(from, known)), now);
        }
      }
    }
  }

  private void owe(Counter counter, Late late, Moment now) {
    long units = counter.charged() - late.known();
    if (units > 0) {
      owedIfReplaced.add(Owed.Debt.late(counter, units, late, now));
    }
  }

  /** Others decided in this node's place: what it holds is stale. */
  private void othersDecided() {
    owedIfReplaced.forEach(owner.late());
    for (int number = 0; number < slots.count(); number++) {
      forget(slots.slot(number));
      checkpoint.left(slots.slot(number));
    }
  }

  private void forget(Slot slot) {
    slots.forget(slot);
    slot.full = false;
    slot.version = Version.NONE;
    slot.setPast(Slot.Past.WHOLE);
    receipt.forget(slot.number());
  }

  private void forgetWhatIsElsewhere(Topology settled) {
    for (int number = 0; number < slots.count(); number++) {
      Slot slot = slots.slot(number);
      boolean mine =
          slot.isOpen() || settled.owns(self, number) || self.equals(settled.backupOf(number));
      if (!mine && (slot.full || !slot.isEmpty())) {
        forget(slot);
      }
    }
  }

  // Opening and passing.

  /**
   * Opens a slot.
   *
   * @param passed whether its last decider passed it, with all that was charged
   */
  private void open(Topology current, Slot slot, Slot.Past past, boolean passed) {
    Version before = slot.full ? slot.version : Version.NONE;
    boolean saved = past.kind() == Knowledge.Kind.LOST && checkpoint.knows(slot);
    if (saved) {
      checkpoint.restore(slot);
      before = Version.NONE; // no copy of it elsewhere is as good
    } else {
      checkpoint.forget(slot);
    }
    slot.begin(slot.version.term().next(current.view().epoch()), passed);
    slot.full = true;
    slot.setPast(saved ? new Slot.Past(Knowledge.Kind.SAVED, past.knownSince()) : past);
    receipt.forget(slot.number());
    copies.start(current, slot, before.equals(Version.NONE) ? null : before);
    slots.open(slot);
    checkpoint.opened(slot);
    current.moved(slot.number(), self);
    found.set(slot.number());
  }

  private void openWhatMayBe() {
    Opening under = opening;
    Topology current = topology;
    if (under == null || current == null) {
      return;
    }
    Moment now = Moment.of(ports.clock());
    for (Opening.Openable openable : under.turn()) {
      Slot slot = openable.slot();
      if (openable.found()) {
        copies.forgetWhatIsNotKept(slot);
      } else {
        slots.forget(slot); // what a check that came too early may have left
      }
      open(current, slot, past(slot, openable.found(), now), false);
      under.opened(slot.number());
      Passing leaving = passing;
      if (leaving != null && !self.equals(current.nextOwnerOf(slot.number()))) {
        leaving.add(slot.number());
      }
      ports.metrics().slotOpened(openable.found() ? SlotOpened.RECOVERED : SlotOpened.LOST);
    }
  }

  private void succeed(Topology current, MemberId dead, Predicate<Slot> which) {
    Moment now = Moment.of(ports.clock());
    BitSet orphaned = current.ownedBy(dead);
    for (int number = orphaned.nextSetBit(0);
        number >= 0;
        number = orphaned.nextSetBit(number + 1)) {
      MemberId backup = current.backupOf(number);
      if (backup == null || current.movedTo(number) != null) {
        continue;
      }
      Slot slot = slots.slot(number);
      if (!backup.equals(self)) {
        current.moved(number, backup);
        found.set(number);
      } else if (!slot.isOpen() && receipt.isConfirmed(number) && which.test(slot)) {
        copies.forgetWhatIsNotKept(slot);
        open(current, slot, past(slot, true, now), false);
        ports.metrics().slotOpened(SlotOpened.RECOVERED);
      }
    }
  }

  private static Slot.Past past(Slot slot, boolean found, Moment now) {
    Knowledge.Kind before = found ? slot.past().kind() : Knowledge.Kind.LOST;
    Knowledge.Kind kind = before == Knowledge.Kind.WHOLE ? Knowledge.Kind.COPIED : before;
    return new Slot.Past(kind, now);
  }

  private void goOn() {
    Passing leaving = passing;
    if (leaving == null) {
      return;
    }
    if (leaving.close()) {
      copies.collectChanges();
    }
    leaving.pass();
  }

  private boolean look() {
    Opening under = opening;
    Passing leaving = passing;
    Topology current = topology;
    if (under == null
        || leaving == null
        || current == null
        || !under.isOver()
        || !leaving.isOver()) {
      return false;
    }
    for (int number = 0; number < slots.count(); number++) {
      boolean mine = self.equals(current.nextOwnerOf(number));
      MemberId backup = current.nextBackupOf(number);
      if (mine != slots.slot(number).isOpen()) {
        return false;
      }
      if (mine && backup != null && !copies.isFull(backup, number)) {
        return false;
      }
    }
    return true;
  }

  // Messages.

  private void take(MemberId from, SlotMessage message) {
    Topology current = topology;
    if (isEarly(from, message, current)
        || current == null
        || opening == null
        || !current.hasPresent(from)) {
      return;
    }
    if (message instanceof CopyMessage copy && isNamed(copy.view())) {
      CopiedMessage copied = receipt.take(from, copy, current);
      if (copied != null) {
        ports.transport().send(from, copied);
      }
    } else if (message instanceof CopiedMessage copied) {
      acknowledged(from, copied, current);
    } else if (message instanceof InventoryRequest request && isNamed(request.view())) {
      tellInventory(from, current);
    } else if (message instanceof InventoryMessage inventory && isNamed(inventory.view())) {
      Opening under = opening;
      if (under != null) {
        found.or(under.answered(from, inventory));
        openWhatMayBe();
      }
    } else if (message instanceof FetchMessage fetch && isNamed(fetch.view())) {
      lend(from, fetch.slots(), current);
    } else if (message instanceof PassMessage pass && isNamed(pass.view())) {
      takeOver(from, pass, current);
    } else if (message instanceof TakenMessage taken && isNamed(taken.view())) {
      taken(from, taken.slots());
    }
  }

  /**
   * Whether a message belongs to a view that this node does not have yet. Views reach nodes at
   * different times, so it is kept until then; and the sender is asked for the view.
   */
  private boolean isEarly(MemberId from, SlotMessage message, @Nullable Topology current) {
    ViewName view =
        message instanceof CopyMessage copy
            ? copy.view()
            : message instanceof InventoryRequest request ? request.view() : null;
    if (view == null || (current != null && !view.isAfter(current.name()))) {
      return false;
    }
    if (message instanceof CopyMessage copy) {
      receipt.keepForLater(from, copy);
    } else if (earlyRequests.size() < View.MAX_MEMBERS) {
      earlyRequests.put(from, view);
    }
    ports.transport().send(from, new ViewRequest());
    return true;
  }

  private void tellInventory(MemberId to, Topology current) {
    Opening.inventory(current, to, slots).forEach(part -> ports.transport().send(to, part));
  }

  private void acknowledged(MemberId from, CopiedMessage copied, Topology current) {
    CopyStream stream = isNamed(copied.view()) ? copies.acknowledged(from, copied) : null;
    if (stream == null) {
      return;
    }
    goOn();
    Passing leaving = passing;
    boolean urgent = leaving != null && leaving.isUrgent();
    if (urgent || stream.isBusy() || copies.hasWaits()) {
      stream.turn(current.name());
    }
    openWhatMayBe();
  }

  /** Copies slots that are not open here to who is about to open them. */
  private void lend(MemberId to, BitSet wanted, Topology current) {
    CopyStream stream = copies.to(to);
    for (int number = wanted.nextSetBit(0);
        number >= 0 && number < slots.count();
        number = wanted.nextSetBit(number + 1)) {
      Slot slot = slots.slot(number);
      if (slot.full && !slot.isOpen() && current.owns(to, number)) {
        stream.want(slot, null);
      }
    }
    stream.turn(current.name());
  }

  private void takeOver(MemberId from, PassMessage pass, Topology current) {
    BitSet taken = new BitSet();
    for (Passed passed : pass.slots()) {
      if (passed.slot() >= slots.count() || !self.equals(current.nextOwnerOf(passed.slot()))) {
        continue;
      }
      Slot slot = slots.slot(passed.slot());
      if (!slot.isOpen() && slot.full && slot.version.equals(passed.version())) {
        open(current, slot, slot.past(), true);
        copies.backupHasWhatWasPassed(current, slot.number());
        Opening under = opening;
        if (under != null) {
          under.opened(slot.number());
        }
        ports.metrics().slotOpened(SlotOpened.PASSED);
      }
      if (slot.isOpen()) {
        taken.set(slot.number());
      }
    }
    if (!taken.isEmpty()) {
      ports.transport().send(from, new TakenMessage(current.name(), taken));
    }
    copies.turn();
  }

  private void taken(MemberId by, BitSet taken) {
    Passing leaving = passing;
    if (leaving == null) {
      return;
    }
    BitSet news = leaving.taken(by, taken);
    for (int number = news.nextSetBit(0); number >= 0; number = news.nextSetBit(number + 1)) {
      copies.stop(slots.slot(number));
      checkpoint.left(slots.slot(number));
    }
    goOn();
    copies.turn();
  }
}
