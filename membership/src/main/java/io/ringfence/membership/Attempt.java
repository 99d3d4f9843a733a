package io.ringfence.membership;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One ballot of one proposer: first it asks whether anything was accepted before (unless it is the
 * senior's first ballot, below which there is nothing), then it proposes that, or else what the
 * proposer wants. The proposer of single-decree Paxos.
 */
final class Attempt {
  private final View base;
  private final ViewName name;
  private final @Nullable Successor wanted; // null: only to finish what others began
  private final boolean prepares;
  private final long sinceNanos;

  private final Set<MemberId> promises = new HashSet<>();
  private @Nullable View highest; // what those who promised had accepted, of the highest ballot
  private @Nullable View proposed; // null until enough have promised
  private long nextSendNanos;

  Attempt(View base, ViewName name, @Nullable Successor wanted, boolean prepares, long nowNanos) {
    this.base = base;
    this.name = name;
    this.wanted = wanted;
    this.prepares = prepares;
    this.sinceNanos = nowNanos;
    this.nextSendNanos = nowNanos;
  }

  ViewName name() {
    return name;
  }

  /** Whether it asked first, so that it may be decided by the survivors of a quorum. */
  boolean prepares() {
    return prepares;
  }

  boolean isOlderThan(long nanos, long nowNanos) {
    return nowNanos - sinceNanos >= nanos;
  }

  /** A member promises, and tells what it has accepted last. */
  void promised(MemberId by, @Nullable View accepted) {
    promises.add(by);
    if (accepted != null && (highest == null || accepted.name().isAfter(highest.name()))) {
      highest = accepted;
    }
  }

  boolean hasPromised(MemberId member) {
    return promises.contains(member);
  }

  /**
   * Enough have promised, or none need to: what is to be proposed is settled from now on.
   *
   * @return the view, or null where there is nothing to propose
   */
  @Nullable View propose() {
    Successor next = highest == null ? wanted : Successor.of(highest);
    if (next != null) {
      proposed = next.as(base.lineage(), name);
    }
    return proposed;
  }

  /** The view that it proposes; null while it still asks. */
  @Nullable View proposed() {
    return proposed;
  }

  /** Whether its words are to be sent, again or for the first time; if so, not before long. */
  boolean mustSend(long resendNanos, long nowNanos) {
    if (nowNanos - nextSendNanos < 0) {
      return false;
    }
    nextSendNanos = nowNanos + resendNanos;
    return true;
  }

  /** The next phase has begun, and its words have not been sent yet. */
  void sendAtOnce(long nowNanos) {
    nextSendNanos = nowNanos;
  }
}
