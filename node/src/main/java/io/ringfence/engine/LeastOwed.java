package io.ringfence.engine;

/**
 * What a counter keeps while a charge of it may still be taken back: the least that it owed at each
 * change since, which bounds what the charge still weighs (see {@code Algorithm.undo}). Amounts are
 * in the measure of the counter's algorithm.
 *
 * <p>Changes are numbered. Of all numbers only those are kept at which less was owed than at every
 * later one, as only they can be the least since anything; of a bucket that is in use those are
 * few. Beyond {@link #CAPACITY} the oldest two become one, with the smaller amount: what is taken
 * back is then too little rather than too much.
 *
 * <p>Guarded by its counter's lock.
 */
final class LeastOwed {
  private static final int CAPACITY = 16;

  // entries [0..size): numbers and amounts both ascend
  private final long[] numbers = new long[CAPACITY];
  private final long[] owed = new long[CAPACITY];
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
      numbers[0] = numbers[1];
      System.arraycopy(numbers, 2, numbers, 1, size - 2);
      System.arraycopy(owed, 2, owed, 1, size - 2);
      size--;
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
    long[] keptNumbers = numbers.clone();
    long[] keptOwed = owed.clone();
    int kept = size;
    size = 0;
    for (int i = 0; i < kept; i++) {
      long less = keptNumbers[i] > number ? amount : 0;
      found(keptNumbers[i], Math.max(0, keptOwed[i] - less));
    }
  }

  /** The least that was owed at a change of a larger number; MAX_VALUE where there was none. */
  long since(long number) {
    for (int i = 0; i < size; i++) {
      if (numbers[i] > number) {
        return owed[i];
      }
    }
    return Long.MAX_VALUE;
  }
}
