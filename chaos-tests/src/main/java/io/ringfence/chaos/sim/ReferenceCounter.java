package io.ringfence.chaos.sim;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.chaos.sim.NodeClock.Instants;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * One counter as slow and plain as possible: the list of everything that was charged, from which
 * each answer is worked out anew. Remaining units and waits are not computed, they are searched for
 * by asking whether a cost would fit. It shares no arithmetic with the product.
 *
 * <p>All amounts of a simulated run are small (limits below 10^3, windows below 10^10 ns), so
 * products fit into 64 bits and nothing is ever rounded.
 *
 * <p>Taking a charge back removes it from the list. What follows is then as if it had never been
 * made, also for what came between. Refunds and resets are in the list as well.
 */
abstract class ReferenceCounter {
  static final long NEVER = Long.MAX_VALUE;

  private final long capacity;
  final long limit;
  final long windowNanos;
  final List<Entry> entries = new ArrayList<>();
  private boolean unsure; // nobody can tell any more what the product's holds
  private int takenBack; // how many charges were
  private long lastTakenBackNanos; // elapsed time; of meaning once a charge was
  private @Nullable Instants behindSince; // while it is read as far behind as it may be

  ReferenceCounter(long capacity, Algorithm algorithm) {
    this.capacity = capacity;
    this.limit = algorithm.limit();
    this.windowNanos = algorithm.windowNanos();
  }

  static ReferenceCounter of(Algorithm algorithm) {
    return switch (algorithm.kind()) {
      case TOKEN_BUCKET, GCRA, LEAKING_BUCKET -> new ReferenceBucket(algorithm);
      case FIXED_WINDOW -> new ReferenceWindow(algorithm, false);
      case SLIDING_WINDOW_COUNTER -> new ReferenceWindow(algorithm, true);
      case SLIDING_WINDOW_LOG -> new ReferenceLog(algorithm);
    };
  }

  /** What was done to a counter at an instant. Compared by identity. */
  static final class Entry {
    final What what;
    final long cost;
    final Instants at;

    Entry(What what, long cost, Instants at) {
      this.what = what;
      this.cost = cost;
      this.at = at;
    }

    @Override
    public String toString() {
      return "%s %d at %d".formatted(what, cost, at.elapsedNanos());
    }
  }

  /** What can be done to a counter. */
  enum What {
    CHARGED,
    GIVEN_BACK,
    RESET
  }

  /**
   * What a check is told.
   *
   * @param allowed whether the cost fits
   * @param remaining the most units that would fit
   * @param retryAfterNanos the least wait after which the cost fits; 0 where it does now, {@link
   *     #NEVER} where it never will
   * @param delayNanos how long an admitted request is to wait
   */
  record Reading(boolean allowed, long remaining, long retryAfterNanos, long delayNanos) {}

  /** From when on it is taken to be as far behind as it may be; null for not at all. */
  final @Nullable Instants behindSince() {
    return behindSince;
  }

  /** As {@link #read}, were the counter as far behind as it may be. */
  final Reading readBehind(long cost, Instants now) {
    behindSince = now;
    Reading reading = read(cost, now);
    behindSince = null;
    return reading;
  }

  /** What a check of that cost is told before anything is charged. */
  final Reading read(long cost, Instants now) {
    boolean allowed = cost <= capacity && fits(cost, now);
    long wait = allowed ? 0 : cost > capacity ? NEVER : first(w -> fits(cost, now.plus(w)));
    return new Reading(allowed, remaining(now), wait, allowed ? delayNanos(now) : 0);
  }

  final long remaining(Instants now) {
    return first(units -> units >= capacity || !fits(units + 1, now));
  }

  final Entry charge(long cost, Instants now) {
    return add(What.CHARGED, cost, now);
  }

  /** Up to that many units are given back, never above full. */
  final void giveBack(long cost, Instants now) {
    add(What.GIVEN_BACK, cost, now);
  }

  /** It is as good as new. */
  final void reset(Instants now) {
    add(What.RESET, 0, now);
  }

  private Entry add(What what, long cost, Instants now) {
    Entry entry = new Entry(what, cost, now);
    entries.add(entry);
    return entry;
  }

  final void takeBack(Entry charged, Instants now) {
    int index = entries.indexOf(charged);
    lastTakenBackNanos = now.elapsedNanos();
    takenBack++;
    if (index >= 0 && !isExactWithout(index, now)) {
      becomesUnsure();
    }
    entries.remove(charged);
  }

  /** Whether the product takes exactly that entry back: a log and a sliding counter may not. */
  boolean isExactWithout(int index, Instants now) {
    return true;
  }

  /** Whether something was given back after that entry. */
  final boolean givenBackSince(int index) {
    return entries.subList(index, entries.size()).stream().anyMatch(e -> e.what == What.GIVEN_BACK);
  }

  /** What it holds and how sure that is, to return to. */
  record Mark(List<Entry> entries, boolean unsure, int takenBack, long lastTakenBackNanos) {}

  final Mark mark() {
    return new Mark(List.copyOf(entries), unsure, takenBack, lastTakenBackNanos);
  }

  final void returnTo(Mark mark) {
    entries.clear();
    entries.addAll(mark.entries());
    unsure = mark.unsure();
    takenBack = mark.takenBack();
    lastTakenBackNanos = mark.lastTakenBackNanos();
  }

  /** Whether nothing weighs any more. */
  abstract boolean isFresh(Instants now);

  /**
   * By how much the product may be behind: a cancel of a bucket gives back whole nanoseconds,
   * rounded down, and takes what others weigh for as much less, rounded up.
   */
  long uncertainNanos() {
    return 0;
  }

  /** It is not known from outside any more what was charged; nothing is compared from here on. */
  final void becomesUnsure() {
    unsure = true;
  }

  final boolean isUnsure() {
    return unsure;
  }

  /** Whether a charge was taken back no longer than that before. */
  final boolean takenBackWithin(long nanos, Instants now) {
    return takenBack > 0 && now.elapsedNanos() - lastTakenBackNanos <= nanos;
  }

  /** How many charges were taken back. */
  final int takenBack() {
    return takenBack;
  }

  final long capacity() {
    return capacity;
  }

  /**
   * Whether that many units, at least 1, could be charged at that instant, not before any entry.
   */
  abstract boolean fits(long cost, Instants now);

  /** The most that any span of that length admits, whatever happened before. */
  abstract long mostWithin(long spanNanos);

  long delayNanos(Instants now) {
    return 0;
  }

  /** The least number from 0 on for which that holds; it must hold for all larger ones. */
  static long first(LongPredicate holds) {
    if (holds.test(0)) {
      return 0;
    }
    long high = 1;
    while (!holds.test(high)) {
      high *= 2;
    }
    long low = high / 2;
    while (high - low > 1) {
      long middle = low + (high - low) / 2;
      if (holds.test(middle)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return high;
  }
}
