package io.ringfence.membership;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
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
  private final Map<MemberId, Death> noted = new HashMap<>(); // of the view held, if it is settled

  Deaths(SafetyRules rules) {
    this.rules = rules;
  }

  private record Death(long notedNanos, boolean told) {}

  /** Another view is held, or none. */
  void reset() {
    noted.clear();
  }

  /**
   * Notes who is dead. To be called before the voters are pinged at that time.
   *
   * @return whether somebody is new, so that the voters are to be pinged at once
   */
  boolean note(View held, Predicate<MemberId> dead, long nowNanos) {
    boolean news = false;
    if (held.settled()) {
      for (Member member : held.members()) {
        if (member.state().isPresent() && dead.test(member.id())) {
          news |= noted.putIfAbsent(member.id(), new Death(nowNanos, false)) == null;
        }
      }
    }
    return news;
  }

  /** Who has died in the view held, each once. */
  List<MemberId> certain(View held, Lease lease, Predicate<MemberId> dead) {
    List<MemberId> certain = new ArrayList<>();
    noted.forEach(
        (member, death) -> {
          Predicate<MemberId> agrees =
              voter -> {
                OptionalLong answered = lease.answeredNanos(voter);
                return answered.isPresent() && answered.getAsLong() - death.notedNanos() >= 0;
              };
          if (!death.told() && rules.noneIsLater(held, agrees, dead)) {
            certain.add(member);
          }
        });
    certain.forEach(
        member -> noted.computeIfPresent(member, (m, d) -> new Death(d.notedNanos(), true)));
    return certain;
  }
}
