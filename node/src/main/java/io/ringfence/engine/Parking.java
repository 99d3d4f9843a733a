package io.ringfence.engine;

import io.ringfence.membership.ViewName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Work that waits for this node to learn a view that another node already has, for its lease, or
 * for it to turn out who decides for a slot.
 *
 * <p>Bounded: what finds no room is not parked, and its caller goes on as if the view never came.
 * What is overdue is told so.
 *
 * <p>Thread-safe; tasks run on the calling thread, outside the monitor.
 */
final class Parking {
  private static final int CAPACITY = 8_192;

  private final EnginePorts ports;
  private final Deque<Parked> parked = new ArrayDeque<>(); // guarded by this; size <= CAPACITY

  Parking(EnginePorts ports) {
    this.ports = ports;
  }

  /**
   * Something parked.
   *
   * @param awaited what it waits for
   * @param deadlineNanos elapsed time after which waiting is of no use
   * @param resume runs once that is there; what does not wait for a view runs with the next one
   *     too, as that may say who decides instead
   * @param giveUp runs once the deadline has passed
   */
  record Parked(Awaited awaited, long deadlineNanos, Runnable resume, Runnable giveUp) {}

  /**
   * What something waits for.
   *
   * @param view that view or a later one; or null
   * @param slot who decides for that slot; or -1. Without either it is the lease
   */
  record Awaited(@Nullable ViewName view, int slot) {
    /** This node's lease. */
    static final Awaited LEASE = new Awaited(null, -1);

    static Awaited view(ViewName view) {
      return new Awaited(view, -1);
    }

    static Awaited slot(int slot) {
      return new Awaited(null, slot);
    }

    private boolean isIn(ViewName installed) {
      return view == null || installed.compareTo(view) >= 0;
    }
  }

  /** Parks it until its deadline at most; false if there is no room, which is counted. */
  boolean park(Parked task) {
    synchronized (this) {
      if (parked.size() < CAPACITY) {
        parked.add(task);
        long delayNanos = task.deadlineNanos() - ports.clock().elapsedNanos();
        ports.timers().after(Math.max(0, delayNanos), this::expire);
        return true;
      }
    }
    ports.metrics().overflow("parked_checks");
    return false;
  }

  /** Resumes what waited for this view or an earlier one. */
  void installed(ViewName view) {
    take(task -> task.awaited().isIn(view)).forEach(task -> task.resume().run());
  }

  /** Resumes what waited for the lease. */
  void leaseGained() {
    take(task -> task.awaited().equals(Awaited.LEASE)).forEach(task -> task.resume().run());
  }

  /** Resumes what waited for one of these slots. */
  void found(BitSet slots) {
    take(task -> task.awaited().slot() >= 0 && slots.get(task.awaited().slot()))
        .forEach(task -> task.resume().run());
  }

  /** How much waits. */
  synchronized int size() {
    return parked.size();
  }

  private void expire() {
    long now = ports.clock().elapsedNanos();
    take(task -> task.deadlineNanos() <= now).forEach(task -> task.giveUp().run());
  }

  private synchronized List<Parked> take(Predicate<Parked> which) {
    List<Parked> taken = new ArrayList<>();
    for (Iterator<Parked> all = parked.iterator(); all.hasNext(); ) {
      Parked task = all.next();
      if (which.test(task)) {
        all.remove();
        taken.add(task);
      }
    }
    return taken;
  }
}
