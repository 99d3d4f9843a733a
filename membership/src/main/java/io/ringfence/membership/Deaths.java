package io.ringfence.membership;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Which present members of the settled view held are dead, and died in it.
 *
 * <p>That a member is dead is known from a proof. What it last went by is not: a later view may
 * have been decided while it lived, and it may have passed its slots on by that. So, once the proof
 * is there, the voters are pinged. If a quorum of them says after it that they hold the same view
 * and have accepted no later one, then none was decided before, as the quorum for that would have
 * had one of them; nobody ever had a later one, and what the dead member had in this view ended
 * with it.
 *
 * <p>Confined to the thread of its {@link ViewKeeper}.
 */
final class Deaths {
  private final SafetyRules rules;
  private final Lease lease;
  // Of the view held: who is dead, and when that was noted; who of them was told of.
  private final Map<MemberId, Long> notedNanos = new HashMap<>();
  private final Set<MemberId> told = new HashSet<>();

  /** No deaths yet; answers to pings are those that the lease is made of. */
  Deaths(SafetyRules rules, Lease lease) {
    this.rules = rules;
    this.lease = lease;
  }

  /** Another view is held, or none. */
  void reset() {
    notedNanos.clear();
    told.clear();
  }

  /**
   * Notes who is dead. To be called before the voters are pinged at that time.
   *
   * @return whether somebody is new, so that the voters are to be pinged at once
   */
  boolean note(View held, Predicate<MemberId> dead, long nowNanos) {
    if (!held.settled()) {
      return false;
    }
    boolean news = false;
    for (Member member : held.members()) {
      if (member.state().isPresent() && dead.test(member.id())) {
        news |= notedNanos.putIfAbsent(member.id(), nowNanos) == null;
      }
    }
    return news;
  }

  /** Who has died in the view held, each once. */
  List<MemberId> news(View held, Predicate<MemberId> dead) {
    if (told.size() == notedNanos.size()) {
      return List.of();
    }
    List<MemberId> news =
        notedNanos.keySet().stream()
            .filter(member -> !told.contains(member))
            .filter(member -> rules.noneIsLater(held, voter -> hasSaidSo(voter, member), dead))
            .toList();
    told.addAll(news);
    return news;
  }

  /** Whether a voter has said since that death was noted that it holds no later view. */
  private boolean hasSaidSo(MemberId voter, MemberId member) {
    Long sinceNanos = notedNanos.get(member);
    OptionalLong answered = lease.answeredNanos(voter);
    return sinceNanos != null && answered.isPresent() && answered.getAsLong() - sinceNanos >= 0;
  }
}
