package io.ringfence.embed;

import io.ringfence.membership.Lease;
import java.util.function.LongPredicate;

/**
 * Whether this node may decide: while it holds a lease, and as the last member of a cluster that
 * drains until it ends, as nobody is left who could.
 *
 * <p>Thread-safe.
 */
final class Permission implements LongPredicate {
  private final Lease lease;
  private volatile boolean last; // never cleared

  Permission(Lease lease) {
    this.lease = lease;
  }

  Lease lease() {
    return lease;
  }

  /** This node leaves, and nobody goes on. */
  void lastToLeave() {
    last = true;
  }

  @Override
  public boolean test(long elapsedNanos) {
    return lease.isHeldAt(elapsedNanos) || last;
  }
}
