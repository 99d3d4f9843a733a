package io.ringfence.benchmarks;

import java.util.ArrayList;
import java.util.List;
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
 * had to wait for its turn, because one before it in its thread took too long, has waited at the
 * expense of whatever is measured. Threads share the instants out in turn. A call that is overdue
 * is made at once, so the rate is kept on average for as long as the threads can keep it.
 *
 * <p>A rate that cannot be kept, such as {@link #AS_FAST_AS_IT_GOES}, makes of it as many loops as
 * there are threads, and measures how many calls they get done.
 */
final class Paced {
  static final double AS_FAST_AS_IT_GOES = 1e9;

  private static final long LONGEST_NANOS = 60_000_000_000L;
  private static final long LEAD_NANOS = 100_000_000L; // for all threads to be there and wait

  private final Histogram latency;
  private final Call call;
  private final double intervalNanos; // between two instants of one thread
  private final long startNanos = System.nanoTime() + LEAD_NANOS;
  private final AtomicLong next = new AtomicLong();
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopped;

  /** A call that tells when it has ended, before or after it returns. */
  interface Call {
    void make(int thread, long number, Runnable ended) throws Exception;
  }

  private Paced(double perSecond, int threads, Histogram latency, Call call) {
    this.latency = latency;
    this.call = call;
    this.intervalNanos = threads * 1e9 / perSecond;
  }

  /**
   * Starts calling, in a tenth of a second: threads that only begin would be late for their first
   * instants.
   *
   * @param perSecond over all threads together
   * @param latency where the times go; takes entries of several threads
   */
  static Paced start(double perSecond, int threads, Histogram latency, Call call) {
    Paced paced = new Paced(perSecond, threads, latency, call);
    for (int i = 0; i < threads; i++) {
      int number = i;
      Thread thread = new Thread(() -> paced.run(number, threads), "paced-" + number);
      thread.setDaemon(true);
      paced.threads.add(thread);
    }
    paced.threads.forEach(Thread::start);
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
   * Ends it, and waits until no thread calls any more.
   *
   * @throws IllegalStateException where a call failed
   */
  void stop() throws InterruptedException {
    stopped = true;
    for (Thread thread : threads) {
      thread.join();
    }
    Exception cause = failure.get();
    if (cause != null) {
      throw new IllegalStateException("a call failed: " + cause, cause);
    }
  }

  private void run(int thread, int threadCount) {
    try {
      for (long turn = 0; !stopped; turn++) {
        long dueNanos =
            startNanos + (long) ((turn + thread / (double) threadCount) * intervalNanos);
        awaitInstant(dueNanos);
        if (!stopped) {
          call.make(thread, next.getAndIncrement(), () -> ended(dueNanos));
        }
      }
    } catch (Exception e) {
      failure.compareAndSet(null, e);
      stopped = true;
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
