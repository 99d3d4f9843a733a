package io.ringfence.benchmarks;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Makes calls at a given rate, whether or not the earlier ones have ended, as callers do that know
 * nothing of each other.
 *
 * <p>Every call has an instant at which it is due, and its time is taken from there: a call that
 * was begun late, because the thread that begins them was held up, has waited at the expense of
 * whatever is measured. A call that is overdue is made at once, so the rate is kept on average for
 * as long as one thread can begin that many.
 */
final class Paced {
  private static final long LONGEST_NANOS = 60_000_000_000L;
  private static final long LEAD_NANOS = 100_000_000L; // for the thread to be there and wait

  private final Histogram latency;
  private final Lanes.Call call;
  private final double intervalNanos; // between two instants
  private final long startNanos = System.nanoTime() + LEAD_NANOS;
  private final AtomicLong next = new AtomicLong();
  private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
  private final Thread thread = new Thread(this::run, "paced");
  private volatile boolean stopped;

  private Paced(double perSecond, Histogram latency, Lanes.Call call) {
    this.latency = latency;
    this.call = call;
    this.intervalNanos = 1e9 / perSecond;
  }

  /**
   * Starts calling, in a tenth of a second: a thread that only begins would be late for its first
   * instants.
   *
   * @param latency where the times go; takes entries of several threads
   */
  static Paced start(double perSecond, Histogram latency, Lanes.Call call) {
    Paced paced = new Paced(perSecond, latency, call);
    paced.thread.setDaemon(true);
    paced.thread.start();
    return paced;
  }

  static Histogram histogram() {
    return new ConcurrentHistogram(LONGEST_NANOS, 3);
  }

  /**
   * Lets it go on for a while, and ends it.
   *
   * @return calls a second, of those that were made
   */
  double runFor(long nanos) throws InterruptedException {
    long end = startNanos + nanos;
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
    stop();
    return perSecond();
  }

  /** Calls made a second, from the first until now. */
  double perSecond() {
    return next.get() * 1e9 / Math.max(1, System.nanoTime() - startNanos);
  }

  /**
   * Ends it, and waits until nothing is begun any more.
   *
   * @throws IllegalStateException where a call failed
   */
  void stop() throws InterruptedException {
    stopped = true;
    thread.join();
    RuntimeException cause = failure.get();
    if (cause != null) {
      throw new IllegalStateException("a call failed: " + cause, cause);
    }
  }

  private void run() {
    try {
      for (long turn = 0; !stopped; turn++) {
        long dueNanos = startNanos + (long) (turn * intervalNanos);
        awaitInstant(dueNanos);
        if (!stopped) {
          call.begin(next.getAndIncrement(), () -> ended(dueNanos));
        }
      }
    } catch (RuntimeException e) {
      failure.set(e);
    }
  }

  private void awaitInstant(long dueNanos) {
    for (long left = dueNanos - System.nanoTime(); left > 0; left = dueNanos - System.nanoTime()) {
      if (stopped) {
        return;
      }
      LockSupport.parkNanos(left);
    }
  }

  private void ended(long dueNanos) {
    latency.recordValue(Math.min(System.nanoTime() - dueNanos, LONGEST_NANOS));
  }
}
