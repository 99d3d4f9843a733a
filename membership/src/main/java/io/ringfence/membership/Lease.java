package io.ringfence.membership;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * This node's permission to decide: until when others would not decide in its place.
 *
 * <p>A node pings the voters of its view. An answer from a voter that holds the same view and has
 * accepted no later one counts for the length of a lease, <em>from the sending of the ping</em> on
 * this node's clock. The lease ends when the answers of a quorum no longer all count, so it is
 * dated from the oldest of the latest answers that make up a quorum. An answer that was long under
 * way, or that waited in a process that was stopped, is worth as much less.
 *
 * <p>The lease survives a view that keeps the member: answers are collected anew in the new view,
 * and what the old ones were worth stays. It lapses, and can be regained in the same view, when a
 * quorum cannot be reached; a node that learns that it is away or absent has none. A member that
 * enters with a view has its first lease in it only when <em>every</em> living voter has answered
 * once ({@link SafetyRules#enters}).
 *
 * <p>Of the three quorums only the first two make a lease. A survivor of a dead quorum makes the
 * next view while its lease runs, and has its lease there; a lease that fed on proofs of death
 * alone would outlast the view that should follow them.
 *
 * <p>Who is the only one present in its view has a lease for as long as it holds that view, once it
 * has one: no other view can follow without its acceptance, and who is added by that becomes a
 * voter by a later one only. So a lone node that was stopped for a while has not lost anything.
 *
 * <p>Assumption: monotonic clocks run while a process is stopped. So a process that was stopped
 * finds its lease over when it looks at its clock again.
 *
 * <p>{@link #remainingNanos}, {@link #isHeldAt} and {@link #lapses} may be called by any thread at
 * any rate; the first two are two volatile reads at most. Everything else is confined to the thread
 * of the {@link ViewKeeper}.
 */
public final class Lease {
  /** What became of a lease between two looks at it. */
  enum Change {
    /** It ran and runs, or did not and does not. */
    UNCHANGED,
    /** It runs again, or for the first time. */
    GAINED,
    /** It ran and does not any more. */
    LAPSED
  }

  private record Answer(MemberId voter, long sentNanos) {}

  private final MemberId self;
  private final SafetyRules rules;
  private final LeaseSettings settings;

  // Until when the lease runs, this time excluded; only grows, unless the lease is forfeited.
  private volatile long heldUntilNanos;
  private volatile boolean alone; // whether it runs until this view is left, whatever the time
  private final AtomicLong lapses = new AtomicLong();

  private @Nullable View view; // the view whose answers are collected; null without one
  private final Map<MemberId, Long> answered = new HashMap<>(); // voter to the ping it answered
  private boolean entering; // whether every living voter has to answer first
  private boolean held; // as of the last tick

  /**
   * A lease that does not run yet.
   *
   * @param self whose lease it is
   * @param nowNanos the node's monotonic clock, now
   */
  public Lease(MemberId self, LeaseSettings settings, long nowNanos) {
    this(self, new SafetyRules(), settings, nowNanos);
  }

  Lease(MemberId self, SafetyRules rules, LeaseSettings settings, long nowNanos) {
    this.self = self;
    this.rules = rules;
    this.settings = settings;
    this.heldUntilNanos = nowNanos;
  }

  /** The times that it goes by. */
  public LeaseSettings settings() {
    return settings;
  }

  /** The rules that it is made by. */
  SafetyRules rules() {
    return rules;
  }

  /**
   * How long the lease runs from that time on if no answer renews it; 0 without one.
   *
   * @param nowNanos the node's monotonic clock
   */
  public long remainingNanos(long nowNanos) {
    return alone ? settings.leaseNanos() : Math.max(0, heldUntilNanos - nowNanos);
  }

  /** Until when answers make it run; in the past without any. */
  long heldUntilNanos() {
    return heldUntilNanos;
  }

  /**
   * Whether the lease runs at a time. A decision that was made under a lock counts if this is true
   * of a reading of the clock that was taken after it, before the lock is given back.
   *
   * @param nowNanos the node's monotonic clock, read by the caller after its decision
   */
  public boolean isHeldAt(long nowNanos) {
    return nowNanos - heldUntilNanos < 0 || alone;
  }

  /** How often a lease ended without a following one, since the start. */
  public long lapses() {
    return lapses.get();
  }

  /**
   * Another view is held, in which this node is present.
   *
   * @param enters whether this node was not present all along
   */
  void enter(View next, boolean enters, long nowNanos) {
    if (enters) {
      forfeit(nowNanos);
      entering = true;
    } else if (alone) {
      heldUntilNanos = nowNanos + settings.leaseNanos();
      alone = false;
    }
    view = next;
    answered.clear();
  }

  /** This node is in no view, or away. */
  void leave(long nowNanos) {
    forfeit(nowNanos);
    view = null;
    answered.clear();
  }

  private void forfeit(long nowNanos) {
    alone = false;
    if (isHeldAt(nowNanos)) {
      heldUntilNanos = nowNanos;
    }
  }

  /** A voter has answered, in the view whose answers are collected, a ping that was sent then. */
  void answered(MemberId voter, long sentNanos) {
    answered.merge(voter, sentNanos, (one, other) -> one - other >= 0 ? one : other);
  }

  /** When the latest ping was sent that a voter has answered in the view held. */
  OptionalLong answeredNanos(MemberId voter) {
    Long sent = answered.get(voter);
    return sent == null ? OptionalLong.empty() : OptionalLong.of(sent);
  }

  /**
   * Counts the answers.
   *
   * @param departedMayHoldLease whether a lease from before may still run
   */
  void count(Predicate<MemberId> dead, boolean departedMayHoldLease) {
    View current = view;
    if (current == null) {
      return;
    }
    if (entering) {
      entering =
          departedMayHoldLease
              || !current.voters().stream()
                  .map(Member::id)
                  .allMatch(id -> id.equals(self) || answered.containsKey(id) || dead.test(id));
      if (entering) {
        return;
      }
    }
    Long oldest = oldestOfQuorum(current);
    if (oldest != null && oldest + settings.leaseNanos() - heldUntilNanos > 0) {
      heldUntilNanos = oldest + settings.leaseNanos();
      alone = current.members().stream().filter(m -> m.state().isPresent()).count() == 1;
    }
  }

  /** Time has passed: tells whether the lease came or went since the last time. */
  Change tick(long nowNanos) {
    boolean before = held;
    held = isHeldAt(nowNanos);
    if (held == before) {
      return Change.UNCHANGED;
    }
    if (held) {
      return Change.GAINED;
    }
    lapses.incrementAndGet();
    return Change.LAPSED;
  }

  /** When the ping was sent that the last of a quorum answered; null while there is no quorum. */
  private @Nullable Long oldestOfQuorum(View current) {
    List<Answer> latestFirst = new ArrayList<>();
    List<Member> voters = current.voters();
    for (Member voter : voters) {
      Long sent = answered.get(voter.id());
      if (sent != null) {
        latestFirst.add(new Answer(voter.id(), sent));
      }
    }
    latestFirst.sort(Comparator.comparing(Answer::sentNanos, (a, b) -> Long.signum(b - a)));
    boolean seniorAgrees = false;
    int agreeing = 0;
    for (Answer answer : latestFirst) {
      agreeing++;
      seniorAgrees |= answer.voter().equals(voters.get(0).id());
      if (rules.isQuorum(agreeing, voters.size(), seniorAgrees)) {
        return answer.sentNanos();
      }
    }
    return null;
  }
}
