package io.ringfence.membership;

import org.jspecify.annotations.Nullable;

/**
 * What one member has promised and accepted for the view after the one it holds: the acceptor of
 * single-decree Paxos (Lamport, "Paxos Made Simple", 2001). There is one decree for each view held,
 * since a decree is decided by the voters of that very view.
 *
 * <p>An acceptor must not forget. All of it lives in memory nevertheless, and that is enough: a
 * process that ends never returns under its incarnation, so one that forgot is not a voter any
 * more. A view that lists it counts it as a voter that is lost.
 */
final class Acceptor {
  private static final long NONE = -1;

  // NONE or a ballot; only grows while one view is held; at least that of `accepted`
  private long promised = NONE;
  private @Nullable View accepted;

  /** Another view is held: nothing is promised for the one after it. */
  void reset() {
    promised = NONE;
    accepted = null;
  }

  /** Promises to accept nothing below that ballot; false where more was promised already. */
  boolean promise(long ballot) {
    if (ballot < promised) {
      return false;
    }
    promised = ballot;
    return true;
  }

  /** Accepts the view; false where its ballot is below what was promised. */
  boolean accept(View view) {
    if (!promise(view.name().ballot())) {
      return false;
    }
    accepted = view;
    return true;
  }

  /** The view accepted last, or null. */
  @Nullable View accepted() {
    return accepted;
  }

  /** Whether nothing has been promised to anybody. */
  boolean isFree() {
    return promised == NONE;
  }
}
