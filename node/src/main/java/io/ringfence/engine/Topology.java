package io.ringfence.engine;

import io.ringfence.engine.message.NotOwnerMessage;
import io.ringfence.membership.Member;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.View;
import io.ringfence.membership.ViewName;
import io.ringfence.ring.Ring;
import io.ringfence.ring.RingNode;
import io.ringfence.ring.RingSettings;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntPredicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A view and the two rings that follow from it: the base, by which slots are looked for, and the
 * target, to which they go. While slots go there, this also knows which have gone already, as far
 * as this node was told: a slot moves once in a view, towards its owner in the target.
 *
 * <p>Thread-safe. All but the moves is immutable.
 */
final class Topology {
  private final View view;
  private final Places base;
  private final Places target;
  // by slot: who decides for it, where that is known not to be its owner in the base
  private final AtomicReferenceArray<@Nullable MemberId> moved;

  private Topology(View view, Places base, Places target) {
    this.view = view;
    this.base = base;
    this.target = target;
    this.moved = new AtomicReferenceArray<>(base.owners.length);
  }

  static Topology of(View view, RingSettings settings) {
    List<RingNode> at = nodes(view.base(), Member::baseWeight);
    List<RingNode> towards = nodes(view.target(), Member::weight);
    Places base = Places.of(view, at, settings);
    Places target = at.equals(towards) ? base : Places.of(view, towards, settings);
    return new Topology(view, base, target);
  }

  private static List<RingNode> nodes(List<Member> members, ToIntFunction<Member> weight) {
    return members.stream().map(m -> new RingNode(m.name(), weight.applyAsInt(m))).toList();
  }

  /** A ring, and whom it names for each slot. */
  private static final class Places {
    private final Ring ring;
    private final @Nullable MemberId[] owners; // by slot; null where the ring is empty
    private final @Nullable MemberId[] backups; // by slot; null where the ring has one member

    private Places(Ring ring, @Nullable MemberId[] owners, @Nullable MemberId[] backups) {
      this.ring = ring;
      this.owners = owners;
      this.backups = backups;
    }

    static Places of(View view, List<RingNode> nodes, RingSettings settings) {
      Ring ring = Ring.of(settings, nodes);
      @Nullable MemberId[] owners = new MemberId[settings.slots()];
      @Nullable MemberId[] backups = new MemberId[settings.slots()];
      Map<String, MemberId> ids = new HashMap<>();
      view.members().forEach(member -> ids.put(member.name(), member.id()));
      for (int slot = 0; slot < owners.length && !ring.isEmpty(); slot++) {
        owners[slot] = ids.get(ring.ownerOf(slot));
        String backup = ring.backupOf(slot);
        backups[slot] = backup == null ? null : ids.get(backup);
      }
      return new Places(ring, owners, backups);
    }
  }

  View view() {
    return view;
  }

  /** The ring of the members that are in the base. */
  Ring ring() {
    return base.ring;
  }

  ViewName name() {
    return view.name();
  }

  /** The owner of a slot in the base; null where the base is empty. */
  @Nullable MemberId ownerOf(int slot) {
    return base.owners[slot];
  }

  /** The backup of a slot in the base; null where the base has one member. */
  @Nullable MemberId backupOf(int slot) {
    return base.backups[slot];
  }

  /** The owner of a slot in the target; null where the target is empty. */
  @Nullable MemberId nextOwnerOf(int slot) {
    return target.owners[slot];
  }

  /** The backup of a slot in the target; null where the target has one member. */
  @Nullable MemberId nextBackupOf(int slot) {
    return target.backups[slot];
  }

  /** Who decides for a slot, as far as this node knows; null where the base is empty. */
  @Nullable MemberId deciderOf(int slot) {
    MemberId elsewhere = moved.get(slot);
    return elsewhere != null ? elsewhere : base.owners[slot];
  }

  /** That member, and not the owner in the base, decides for a slot from now on. */
  void moved(int slot, MemberId to) {
    moved.set(slot, to);
  }

  /**
   * A member says where slots that it was asked for have gone. What it says in another view, of
   * other slots, or of who takes no part is not believed.
   */
  void learn(NotOwnerMessage told, IntPredicate asked) {
    if (told.view().equals(name())) {
      told.moved().stream()
          .filter(gone -> asked.test(gone.slot()) && hasPresent(gone.to()))
          .forEach(gone -> moved(gone.slot(), gone.to()));
    }
  }

  /** Who decides for a slot that its owner in the base does not have; null where not known. */
  @Nullable MemberId movedTo(int slot) {
    return moved.get(slot);
  }

  /** Whether it votes by this view. */
  boolean votes(MemberId member) {
    Member listed = view.member(member);
    return listed != null && listed.state().votes();
  }

  /** Whether it takes part in this view. */
  boolean hasPresent(MemberId member) {
    Member listed = view.member(member);
    return listed != null && listed.state().isPresent();
  }

  /** Whether a member is the slot's owner in the base. */
  boolean owns(MemberId member, int slot) {
    return member.equals(base.owners[slot]);
  }

  /** The slots that a member owns in the base. */
  BitSet ownedBy(MemberId member) {
    BitSet owned = new BitSet(base.owners.length);
    for (int slot = 0; slot < base.owners.length; slot++) {
      if (owns(member, slot)) {
        owned.set(slot);
      }
    }
    return owned;
  }

  /**
   * Whether a member decides for a slot in this view once its owner is dead: its backup, as all
   * slots are at their owners and all copies full.
   */
  boolean succeeds(MemberId member, int slot) {
    return view.settled() && member.equals(base.backups[slot]);
  }

  /** Whether a slot is to be open at that member sooner or later in this view. */
  boolean expects(MemberId member, int slot) {
    return member.equals(deciderOf(slot)) || member.equals(target.owners[slot]);
  }
}
