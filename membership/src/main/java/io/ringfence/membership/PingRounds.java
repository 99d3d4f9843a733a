package io.ringfence.membership;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whom to ping, and when: the voters of the view held every ping interval, at once where the view
 * is new; and everybody else who is proven once in so many resends, so that members of other views
 * and of none hear of each other. A node without a view pings them with every resend: it waits to
 * hear of a view that lists it.
 */
final class PingRounds {
  private static final int RESENDS_PER_REMOTE_PING = 5;

  private final long pingNanos;
  private final long resendNanos;
  private long nextNanos;
  private long nextRemoteNanos;

  PingRounds(long pingNanos, long resendNanos, long nowNanos) {
    this.pingNanos = pingNanos;
    this.resendNanos = resendNanos;
    this.nextNanos = nowNanos;
    this.nextRemoteNanos = nowNanos;
  }

  /** The view is new. */
  void atOnce(long nowNanos) {
    nextNanos = nowNanos;
  }

  /** Whom to ping now; may contain this node itself, where it votes. */
  Set<MemberId> due(@Nullable View held, Acquaintances known, long nowNanos) {
    Set<MemberId> due = new LinkedHashSet<>();
    if (held != null && nowNanos - nextNanos >= 0) {
      nextNanos = nowNanos + pingNanos;
      held.voters().forEach(voter -> due.add(voter.id()));
    }
    if (nowNanos - nextRemoteNanos >= 0) {
      nextRemoteNanos = nowNanos + (held == null ? 1 : RESENDS_PER_REMOTE_PING) * resendNanos;
      due.addAll(known.proven());
    }
    return due;
  }
}
