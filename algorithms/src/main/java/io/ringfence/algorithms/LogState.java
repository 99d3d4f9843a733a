package io.ringfence.algorithms;

import org.jspecify.annotations.Nullable;

/**
 * The admitted charges of one window as a ring of primitive longs, oldest first.
 *
 * <p>Each entry is an instant and a weight. Weights are kept as running totals, so the weight of
 * any stretch is one subtraction and the entry at which enough has expired is found by bisection.
 * As long as every weight is 1 the position is the total, and no totals are stored: 8 bytes an
 * entry, else 16. Totals may wrap; only their differences, which are at most {@link #used}, are
 * ever looked at.
 *
 * <p>The ring doubles when full and halves when three quarters are empty, so memory follows use and
 * a change costs amortised constant time. How many entries there can be is bounded by {@link
 * SlidingWindowLog}.
 */
final class LogState implements CounterState {
  /** The most that the weights of one state add up to; what a debit adds beyond it is cut off. */
  static final long MAX_WEIGHT = 1L << 62;

  static final int TICKS_PER_WINDOW = 1 << 20;
  private static final int FINE_ENTRIES = 1 << 20;
  static final int MAX_ENTRIES = FINE_ENTRIES + TICKS_PER_WINDOW + 1;

  private static final int SMALLEST = 4;
  private static final long[] NONE = {};

  long newestNanos; // never falls; no entry is later
  long used; // the weight of all entries, 0 <= used <= MAX_WEIGHT
  long folded; // charges that share an entry with an earlier one, ever

  private long[] times = NONE; // length 0 or a power of two; non-decreasing from the head on
  private long @Nullable [] totals; // null while all weights are 1; else as long as times
  private long totalBefore; // the running total before the head; read only where there are totals
  private int head; // 0 <= head < max(1, times.length)
  private int size; // 0 <= size <= times.length

  LogState(long newestNanos) {
    this.newestNanos = newestNanos;
  }

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  long timeAt(int index) {
    return times[slot(index)];
  }

  long weightAt(int index) {
    return totals == null ? 1 : totalThrough(index) - totalThrough(index - 1);
  }

  /** The weight of the oldest {@code count} entries. */
  long weightOfOldest(int count) {
    return totalThrough(count - 1) - totalThrough(-1);
  }

  /**
   * Appends a charge no earlier than any other. The weight is at least 1 and keeps the sum within
   * MAX_WEIGHT.
   */
  void append(long nanos, long weight) {
    if (size == times.length) {
      resize(Math.max(SMALLEST, size * 2));
    }
    if (weight != 1 && totals == null) {
      startTotals();
    }
    long before = totalThrough(size - 1);
    int slot = slot(size);
    times[slot] = nanos;
    if (totals != null) {
      totals[slot] = before + weight;
    }
    size++;
    used += weight;
  }

  /** As {@link #append}, but within the bound on entries. */
  void record(long nanos, long weight, long tickNanos) {
    boolean crowded = size >= FINE_ENTRIES;
    if (crowded && Math.floorDiv(timeAt(size - 1), tickNanos) == Math.floorDiv(nanos, tickNanos)) {
      fold(nanos, weight);
    } else {
      append(nanos, weight);
    }
  }

  /** Adds a charge to the newest entry and makes the whole entry as late as it. */
  private void fold(long nanos, long weight) {
    if (totals == null) {
      startTotals();
    }
    int slot = slot(size - 1);
    times[slot] = nanos;
    addTotal(slot, weight);
    used += weight;
    folded++;
  }

  /** Drops every entry at or before that instant. */
  void dropThrough(long nanos) {
    int expired = 0;
    while (expired < size && timeAt(expired) <= nanos) {
      expired++;
    }
    if (expired > 0) {
      dropOldest(expired);
    }
  }

  /** Takes weight off the oldest entries; the state must hold at least that much. */
  void takeOldest(long weight) {
    int whole = entriesWithin(weight);
    long rest = weight - weightOfOldest(whole);
    dropOldest(whole);
    if (rest > 0) {
      totalBefore += rest; // a partly taken entry weighs at least 2, so there are totals
      used -= rest;
    }
  }

  /**
   * Takes weight off the entries of that instant, as far as they hold it. Of a state with folded
   * charges the entry that the instant was folded into will do. Costs time in the entries after it.
   */
  void takeAt(long nanos, long weight, long tickNanos) {
    int index = firstAtOrAfter(nanos);
    long left = weight;
    while (left > 0 && index < size && holds(index, nanos, tickNanos)) {
      long taken = Math.min(left, weightAt(index));
      if (taken == weightAt(index)) {
        remove(index);
      } else {
        lighten(index, taken);
        index++;
      }
      left -= taken;
    }
    shrink();
  }

  private boolean holds(int index, long nanos, long tickNanos) {
    long time = timeAt(index);
    return time == nanos
        || (folded > 0 && Math.floorDiv(time, tickNanos) == Math.floorDiv(nanos, tickNanos));
  }

  private int firstAtOrAfter(long nanos) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (timeAt(middle) < nanos) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private void remove(int index) {
    long weight = weightAt(index);
    for (int i = index; i < size - 1; i++) {
      times[slot(i)] = times[slot(i + 1)];
      if (totals != null) {
        totals[slot(i)] = totals[slot(i + 1)] - weight;
      }
    }
    size--;
    used -= weight;
  }

  private void lighten(int index, long weight) {
    for (int i = index; i < size; i++) {
      addTotal(slot(i), -weight);
    }
    used -= weight;
  }

  /**
   * The index of the first entry whose weight, with all older ones, reaches the given one; it must
   * be within used.
   */
  int reaching(long weight) {
    return entriesWithin(weight - 1);
  }

  /** How many of the oldest entries weigh at most that much together. */
  private int entriesWithin(long weight) {
    if (totals == null) {
      return (int) Math.min(size, weight);
    }
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (weightOfOldest(middle) <= weight) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  private void dropOldest(int count) {
    long weight = weightOfOldest(count);
    totalBefore = totalThrough(count - 1);
    head = times.length == 0 ? 0 : slot(count);
    size -= count;
    used -= weight;
    shrink();
  }

  private long totalThrough(int index) {
    if (totals == null) {
      return index + 1L;
    }
    return index < 0 ? totalBefore : totals[slot(index)];
  }

  private void addTotal(int slot, long weight) {
    if (totals != null) {
      totals[slot] += weight;
    }
  }

  private void startTotals() {
    long[] fresh = new long[times.length];
    for (int index = 0; index < size; index++) {
      fresh[slot(index)] = index + 1L;
    }
    totals = fresh;
    totalBefore = 0;
  }

  private void shrink() {
    if (size == 0) {
      times = NONE;
      totals = null;
      head = 0;
    } else if (times.length > SMALLEST && size <= times.length / 4) {
      resize(times.length / 2);
    }
  }

  private void resize(int length) {
    times = unrolled(times, length);
    if (totals != null) {
      totals = unrolled(totals, length);
    }
    head = 0;
  }

  private long[] unrolled(long[] ring, int length) {
    long[] straight = new long[length];
    int first = Math.min(size, ring.length - head);
    System.arraycopy(ring, head, straight, 0, first);
    System.arraycopy(ring, 0, straight, first, size - first);
    return straight;
  }

  /**
   * Takes over the entries of another state, which must not be used afterwards; the count of folds
   * is kept.
   */
  void replaceWith(LogState other) {
    times = other.times;
    totals = other.totals;
    totalBefore = other.totalBefore;
    head = other.head;
    size = other.size;
    used = other.used;
    newestNanos = other.newestNanos;
  }

  private int slot(int index) {
    return (head + index) & (times.length - 1);
  }

  @Override
  public long payloadBytes() {
    int fixed = 4 * Long.BYTES + 2 * Integer.BYTES;
    return fixed + Long.BYTES * (times.length + (totals == null ? 0L : totals.length));
  }
}
