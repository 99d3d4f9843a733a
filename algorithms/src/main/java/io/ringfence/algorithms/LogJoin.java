package io.ringfence.algorithms;

/**
 * The least log that denies whatever either of two denies.
 *
 * <p>Let A(t) be the weight that log A holds at or after t, and B(t) likewise. At any later time a
 * log denies by the value of that function at one t, so the least log that denies whatever either
 * denies has J(t) = max(A(t), B(t)). Both functions step up as t moves back over an entry; J is
 * followed from the newest entry to the oldest, and every step of J becomes an entry. A maximum is
 * idempotent, commutative and associative, hence so is the join, and history that both logs share
 * is counted once.
 */
final class LogJoin {
  private final long[] times;
  private final long[] weights;
  private int count;

  private LogJoin(int capacity) {
    times = new long[capacity];
    weights = new long[capacity];
  }

  /** The join of what both hold after {@code expiredNanos}, within the bound on entries. */
  static LogState join(LogState a, LogState b, long expiredNanos, long tickNanos) {
    LogJoin steps = new LogJoin(a.size() + b.size());
    int nextA = a.size() - 1;
    int nextB = b.size() - 1;
    long sumA = 0;
    long sumB = 0;
    while (nextA >= 0 || nextB >= 0) {
      long nanos = Math.max(timeOrEarliest(a, nextA), timeOrEarliest(b, nextB));
      if (nanos <= expiredNanos) {
        break;
      }
      long before = Math.max(sumA, sumB);
      for (; timeOrEarliest(a, nextA) == nanos; nextA--) {
        sumA += a.weightAt(nextA);
      }
      for (; timeOrEarliest(b, nextB) == nanos; nextB--) {
        sumB += b.weightAt(nextB);
      }
      steps.add(nanos, Math.max(sumA, sumB) - before);
    }
    return steps.toLog(Math.max(a.newestNanos, b.newestNanos), tickNanos);
  }

  /** Times are within plus or minus 2^62, so the smallest long is none of them. */
  private static long timeOrEarliest(LogState log, int index) {
    return index < 0 ? Long.MIN_VALUE : log.timeAt(index);
  }

  private void add(long nanos, long weight) {
    if (weight > 0) {
      times[count] = nanos;
      weights[count] = weight;
      count++;
    }
  }

  private LogState toLog(long newestNanos, long tickNanos) {
    LogState log = new LogState(newestNanos);
    for (int step = count - 1; step >= 0; step--) {
      log.record(times[step], weights[step], tickNanos);
    }
    return log;
  }
}
