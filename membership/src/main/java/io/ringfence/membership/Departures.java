package io.ringfence.membership;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Who took part in an earlier view, does not in the one held, and may still hold a lease from then.
 *
 * <p>A view is accepted by a quorum before anybody holds it, and who has accepted it answers no
 * ping of the one before. So the last lease from before ends one lease after this node learned the
 * view, at the latest; 1.1 leases are waited, for clocks that do not run alike. Who is proven dead
 * holds none.
 *
 * <p>Fewer of them may still <b>decide</b>. Who was present in one view and is not listed by the
 * next was proven dead to the proposer, or had drained and handed all its slots over: it may hold a
 * lease yet has nothing to decide. Who was set AWAY may go on with its slots until its lease
 * lapses.
 *
 * <p>Where this node has not followed view by view it cannot know who departed, and waits as if
 * somebody had, and had been set AWAY.
 */
final class Departures {
  private final long lapseNanos;
  private final Map<MemberId, Long> untilNanos = new HashMap<>(); // of those that are known
  private final Set<MemberId> fellSilent = new HashSet<>(); // those of them that were set AWAY
  private boolean unknown; // whether somebody unknown may have departed
  private long unknownUntilNanos; // until when that matters, if so

  Departures(LeaseSettings settings) {
    this.lapseNanos = settings.lapseNanos();
  }

  /**
   * Another view is held from now on.
   *
   * @param before the view of the same lineage that was held before, or null
   */
  void installed(@Nullable View before, View next, long nowNanos) {
    long until = nowNanos + lapseNanos;
    boolean founded = before == null && next.epoch() == 1;
    boolean followed = before != null && next.epoch() - before.epoch() <= 1;
    if (!founded && !followed) {
      unknown = true;
      unknownUntilNanos = until;
    }
    if (before == null) {
      untilNanos.clear();
      fellSilent.clear();
      return;
    }
    for (Member member : before.members()) {
      Member after = next.member(member.id());
      if (member.state().isPresent() && (after == null || !after.state().isPresent())) {
        untilNanos.put(member.id(), until);
      }
    }
    // of two ballots of one epoch the lower may have left out whom the higher sets AWAY
    next.members().stream()
        .filter(member -> !member.state().isPresent())
        .map(Member::id)
        .filter(untilNanos::containsKey)
        .forEach(fellSilent::add);
  }

  /** Whether any of them may hold a lease now. */
  boolean mayHoldLease(Predicate<MemberId> dead, long nowNanos) {
    forget(nowNanos);
    return unknown || !untilNanos.keySet().stream().allMatch(dead);
  }

  /** Whether any of them may still have slots and a lease to decide by. */
  boolean mayDecide(Predicate<MemberId> dead, long nowNanos) {
    forget(nowNanos);
    return unknown || !fellSilent.stream().allMatch(dead);
  }

  private void forget(long nowNanos) {
    unknown = unknown && nowNanos - unknownUntilNanos < 0;
    untilNanos.values().removeIf(until -> nowNanos - until >= 0);
    fellSilent.retainAll(untilNanos.keySet());
  }
}
