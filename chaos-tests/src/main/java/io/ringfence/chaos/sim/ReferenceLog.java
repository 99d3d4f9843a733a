package io.ringfence.chaos.sim;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.chaos.sim.NodeClock.Instants;
import java.util.ArrayDeque;
import java.util.Deque;

/** The sliding log: a charge at t counts before t + W, and not from then on. */
final class ReferenceLog extends ReferenceCounter {
  ReferenceLog(Algorithm algorithm) {
    super(algorithm.limit(), algorithm);
  }

  @Override
  boolean fits(long cost, Instants now) {
    return used(now) + cost <= limit;
  }

  /** What counts at an instant. A refund took the oldest of what counted when it was made. */
  private long used(Instants now) {
    Deque<Entry> log = new ArrayDeque<>();
    for (Entry entry : entries) {
      switch (entry.what) {
        case CHARGED -> log.addLast(entry);
        case GIVEN_BACK -> takeOldest(log, entry);
        case RESET -> log.clear();
      }
    }
    log.removeIf(entry -> !counts(entry, now));
    return log.stream().mapToLong(entry -> entry.cost).sum();
  }

  private void takeOldest(Deque<Entry> log, Entry refund) {
    log.removeIf(entry -> !counts(entry, refund.at));
    long left = refund.cost;
    while (left > 0 && !log.isEmpty()) {
      Entry oldest = log.removeFirst();
      if (oldest.cost > left) {
        log.addFirst(new Entry(What.CHARGED, oldest.cost - left, oldest.at));
      }
      left -= Math.min(left, oldest.cost);
    }
  }

  private boolean counts(Entry entry, Instants now) {
    return now.elapsedNanos() - entry.at.elapsedNanos() < windowNanos;
  }

  @Override
  boolean isFresh(Instants now) {
    return used(now) == 0;
  }

  @Override
  boolean isExactWithout(int index, Instants now) {
    return !givenBackSince(index);
  }

  @Override
  long mostWithin(long spanNanos) {
    return limit * (spanNanos / windowNanos + 1);
  }
}
