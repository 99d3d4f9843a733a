package io.ringfence.engine;

import java.util.Arrays;

/**
 * What a counter keeps while a charge of it may still be taken back: the least that it owed at each
 * change since, which bounds what the charge still weighs (see {@code Algorithm.undo}). Amounts are
 * in the measure of the counter's algorithm.
 *
 * <p>Changes are numbered. Of all numbers only those are kept at which less was owed than at every
 * later one, as only they can be the least since anything. Of a bucket in steady use those are few;
 * while one runs empty each charge is one. Beyond {@link #CAPACITY} the newest stands for those
 * after it as well, with its smaller amount: as that is no less than many charges weigh together,
 * it matters only where more of them than {@link #CAPACITY} are taken back at once, and then too
 * little is given back rather than too much.
 *
 * <p>Guarded by its counter's lock.
 */
final class LeastOwed {
  static final int CAPACITY = 1_024;

  // entries [0..size): numbers and amounts both ascend
  private long[] numbers = new long[8];
  private long[] owed = new long[8];
  private int size;

  private long latestNanos; // elapsed time of the latest charge that may be taken back

  void mayBeTakenBack(long chargedAtNanos) {
    latestNanos = chargedAtNanos;
  }

  /** Whether no charge can be taken back any more. */
  boolean isOver(long nowNanos) {
    return nowNanos - latestNanos > TentativeCharges.MEMORY_NANOS;
  }

  /** At the change of that number, larger than all before, so much was owed. */
  void found(long number, long amount) {
    while (size > 0 && owed[size - 1] >= amount) {
      size--;
    }
    if (size == CAPACITY) {
      numbers[size - 1] = number;
      return;
    }
    if (size == numbers.length) {
      numbers = Arrays.copyOf(numbers, 2 * size);
      owed = Arrays.copyOf(owed, 2 * size);
    }
    numbers[size] = number;
    owed[size] = amount;
    size++;
  }

  /**
   * A charge was taken back and weighed so much: without it, so much less was owed at every change
   * since that is kept here. (At a change that is not kept it may have weighed more; but less was
   * owed at a later one, with or without it.)
   *
   * @param amount rounded up
   */
  void lower(long number, long amount) {
    int from = firstAfter(number);
    int kept = size;
    size = from;
    for (int i = from; i < kept; i++) {
      found(numbers[i], Math.max(0, owed[i] - amount)); // writes no place beyond i
    }
  }

  /** The least that was owed at a change of a larger number; MAX_VALUE where there was none. */
  long since(long number) {
    int first = firstAfter(number);
    return first == size ? Long.MAX_VALUE : owed[first];
  }

  private int firstAfter(long number) {
    int at = Arrays.binarySearch(numbers, 0, size, number);
    return at >= 0 ? at + 1 : -at - 1;
  }
}
