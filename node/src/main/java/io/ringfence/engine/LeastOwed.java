package io.ringfence.engine;

/**
 * What a counter keeps while a charge of it may still be taken back: the least that it owed at each
 * change since, which bounds what the charge still weighs (see {@code VirtualSchedule.undo}).
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
  private final long[] owedNanos = new long[CAPACITY];
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
  void found(long number, long nanos) {
    while (size > 0 && owedNanos[size - 1] >= nanos) {
      size--;
    }
    if (size == CAPACITY) {
      numbers[0] = numbers[1];
      System.arraycopy(numbers, 2, numbers, 1, size - 2);
      System.arraycopy(owedNanos, 2, owedNanos, 1, size - 2);
      size--;
    }
    numbers[size] = number;
    owedNanos[size] = nanos;
    size++;
  }

  /**
   * A charge was taken back and weighed so much: without it, so much less was owed at every change
   * since that is kept here. (At a change that is not kept it may have weighed more; but less was
   * owed at a later one, with or without it.)
   *
   * @param nanos rounded up
   */
  void lower(long number, long nanos) {
    long[] keptNumbers = numbers.clone();
    long[] keptOwed = owedNanos.clone();
    int kept = size;
    size = 0;
    for (int i = 0; i < kept; i++) {
      long owed = keptNumbers[i] > number ? Math.max(0, keptOwed[i] - nanos) : keptOwed[i];
      found(keptNumbers[i], owed);
    }
  }

  /** The least that was owed at a change of a larger number; MAX_VALUE where there was none. */
  long since(long number) {
    for (int i = 0; i < size; i++) {
      if (numbers[i] > number) {
        return owedNanos[i];
      }
    }
    return Long.MAX_VALUE;
  }
}
