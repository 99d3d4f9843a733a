package io.ringfence.membership;

import io.ringfence.membership.Acquaintance.Standing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Every other process that a node has heard of, with what is known about each.
 *
 * <p>The table is bounded at {@value #MAX_KNOWN} processes. What comes when it is full is ignored
 * and counted; room comes back when processes are forgotten, which happens once they are no longer
 * introduced and no view needs them.
 *
 * <p>Confined to the thread of its {@link ViewKeeper}.
 */
final class Acquaintances {
  static final int MAX_KNOWN = 2 * View.MAX_MEMBERS;

  private final MemberId self;
  private final Map<MemberId, Acquaintance> known = new HashMap<>(); // never holds self
  private final List<Acquaintance> listed = new ArrayList<>(); // oldest introduction first
  private int olderThanSelf; // how many of `listed` were introduced before this node
  private boolean introduced; // whether any set has been delivered
  private long ignored;

  Acquaintances(MemberId self) {
    this.self = self;
  }

  /**
   * Takes a whole set of introductions, in place of the one before. Of several that claim one id
   * the oldest counts, on every node alike.
   */
  void introduce(List<Candidate> candidates, long nowNanos) {
    introduced = true;
    known.values().forEach(a -> a.listed = false);
    listed.clear();
    boolean selfSeen = false;
    for (Candidate candidate : candidates) {
      if (candidate.id().equals(self)) {
        if (!selfSeen) {
          selfSeen = true;
          olderThanSelf = listed.size();
        }
        continue;
      }
      Acquaintance a = learn(candidate.id(), candidate.peer(), nowNanos);
      if (a != null && !a.listed) {
        a.listed = true;
        a.lastListedNanos = nowNanos;
        listed.add(a);
      }
    }
    if (!selfSeen) {
      olderThanSelf = listed.size();
    }
  }

  /**
   * The entry of a process, made if there is none.
   *
   * @return null when the table is full, which is counted
   */
  @Nullable Acquaintance learn(MemberId id, Address peer, long nowNanos) {
    Acquaintance a = known.get(id);
    if (a == null) {
      if (known.size() >= MAX_KNOWN) {
        ignored++;
        return null;
      }
      a = new Acquaintance(id, peer, nowNanos);
      known.put(id, a);
    }
    return a;
  }

  /**
   * Notes that a process proved itself. Only one process can listen at an address, so any other
   * incarnation of its name at the same address is dead.
   */
  void prove(Introduction facts, long nowNanos) {
    Acquaintance proven = learn(facts.id(), facts.peer(), nowNanos);
    if (proven == null) {
      return;
    }
    proven.standing = Standing.PROVEN;
    proven.facts = facts;
    proven.peer = facts.peer();
    for (Acquaintance other : known.values()) {
      if (other != proven
          && other.id.name().equals(facts.id().name())
          && other.peer.equals(facts.peer())) {
        other.standing = Standing.DEAD;
      }
    }
  }

  @Nullable Acquaintance get(MemberId id) {
    return known.get(id);
  }

  /** Those of the last set of introductions, oldest first, without this node. */
  List<Acquaintance> listed() {
    return listed;
  }

  /** Those within reach who have proved themselves, by id. */
  List<MemberId> proven() {
    return known.values().stream()
        .filter(a -> a.standing == Standing.PROVEN)
        .map(a -> a.id)
        .sorted()
        .toList();
  }

  /** Whether anybody within reach holds a view, introduced to us already or not. */
  boolean anyHoldsView() {
    return known.values().stream().anyMatch(a -> a.standing == Standing.PROVEN && a.view != null);
  }

  /** Whether anybody within reach holds a view of another lineage, or holds a lease. */
  boolean anyHoldsOther(Lineage lineage) {
    return known.values().stream()
        .filter(Acquaintance::isProven)
        .anyMatch(a -> a.leased || (a.view != null && !a.view.lineage().equals(lineage)));
  }

  /** Whether that entry of {@link #listed} was introduced before this node. */
  boolean isOlderThanSelf(int index) {
    return index < olderThanSelf;
  }

  /** Whether any set of introductions has come yet. */
  boolean introduced() {
    return introduced;
  }

  /** Whether there is proof that a process has ended. */
  boolean isDead(MemberId id) {
    Acquaintance a = known.get(id);
    return a != null && a.isDead();
  }

  /**
   * This process was stopped for so long. It has heard nobody meanwhile, and nobody is the worse
   * for it: the time is taken out.
   */
  void slept(long nanos) {
    for (Acquaintance a : known.values()) {
      a.lastHeardNanos += nanos;
      a.lastLeasedNanos += nanos;
      a.owesProofSinceNanos += nanos;
    }
  }

  /**
   * Another view is held: whom it newly lists as AWAY has to come back before it counts as back.
   */
  void returnAnew(@Nullable View before, View next) {
    for (Member member : next.members()) {
      Member earlier = before == null ? null : before.member(member.id());
      boolean wasAway = earlier != null && !earlier.state().isPresent();
      Acquaintance a = known.get(member.id());
      if (a != null && !member.state().isPresent() && !wasAway) {
        a.everSameView = false;
      }
    }
  }

  /**
   * Keeps the times of those still listed, and forgets those that nobody needs any more. A proven
   * process is kept until it is said to be out of reach: it would not prove itself again.
   */
  void refresh(@Nullable View view, long keepNanos, long nowNanos) {
    listed.forEach(a -> a.lastListedNanos = nowNanos);
    Set<MemberId> needed = new HashSet<>();
    if (view != null) {
      view.members().forEach(m -> needed.add(m.id()));
    }
    Predicate<Acquaintance> forgettable =
        a ->
            !a.listed
                && a.standing != Standing.PROVEN
                && !needed.contains(a.id)
                && nowNanos - a.lastListedNanos > keepNanos;
    known.values().removeIf(forgettable);
  }

  /** How many processes are known, at most {@value #MAX_KNOWN}. */
  int size() {
    return known.size();
  }

  /** How many introductions found the table full. */
  long ignored() {
    return ignored;
  }
}
