package io.ringfence.benchmarks;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Keeps a number of asynchronous calls under way: as many lanes, each of which begins its next call
 * when the one before has ended. Latency is from the beginning of a call to its end, with nothing
 * in between that waits.
 */
final class Lanes {
  private static final long LONGEST_NANOS = 60_000_000_000L;

  private Lanes() {}

  /** A call that tells when it has ended. */
  interface Call {
    void begin(long number, Runnable ended);
  }

  /** Makes that many calls, and measures them. */
  static Measured run(String what, int inFlight, long calls, Call call)
      throws InterruptedException {
    Histogram latency = new ConcurrentHistogram(LONGEST_NANOS, 3);
    AtomicLong next = new AtomicLong();
    CountDownLatch lanes = new CountDownLatch(inFlight);
    long start = System.nanoTime();
    for (int i = 0; i < inFlight; i++) {
      new Lane(calls, call, next, latency, lanes).go();
    }
    lanes.await();
    double seconds = (System.nanoTime() - start) / 1e9;
    return new Measured(what, inFlight, calls / seconds, latency);
  }

  /**
   * One lane. A call that ends before its begin returns is followed by a loop, not by recursion.
   */
  private record Lane(
      long calls, Call call, AtomicLong next, Histogram latency, CountDownLatch lanes) {

    void go() {
      while (true) {
        long number = next.getAndIncrement();
        if (number >= calls) {
          lanes.countDown();
          return;
        }
        long began = System.nanoTime();
        EndOfCall end = new EndOfCall();
        call.begin(
            number,
            () -> {
              latency.recordValue(Math.min(System.nanoTime() - began, LONGEST_NANOS));
              if (end.meet()) {
                go();
              }
            });
        if (!end.meet()) {
          return; // it ends later, and goes on from there
        }
      }
    }
  }

  /** Tells which comes second: the return of begin or the end of the call. */
  private static final class EndOfCall {
    private boolean met;

    /** True for the second of the two. */
    synchronized boolean meet() {
      boolean second = met;
      met = true;
      return second;
    }
  }
}
