package io.ringfence.chaos.virtual;

import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * What is to happen, and when. Time stands still while something happens and then jumps to the next
 * entry; entries of one instant run in the order in which they were made.
 */
public final class Agenda {
  private record Entry(long atNanos, long order, Runnable task) {}

  private final PriorityQueue<Entry> entries =
      new PriorityQueue<>(Comparator.comparingLong(Entry::atNanos).thenComparingLong(Entry::order));
  private long nowNanos; // never falls
  private long order;

  /** Virtual nanoseconds since the run began. */
  public long now() {
    return nowNanos;
  }

  public void at(long atNanos, Runnable task) {
    entries.add(new Entry(Math.max(nowNanos, atNanos), order++, task));
  }

  public void after(long delayNanos, Runnable task) {
    at(nowNanos + delayNanos, task);
  }

  /** Runs the next entry that is due by then; false, with time gone on to then, if none is. */
  public boolean runNext(long untilNanos) {
    Entry next = entries.peek();
    if (next == null || next.atNanos() > untilNanos) {
      nowNanos = Math.max(nowNanos, untilNanos);
      return false;
    }
    entries.remove();
    nowNanos = next.atNanos();
    next.task().run();
    return true;
  }
}
