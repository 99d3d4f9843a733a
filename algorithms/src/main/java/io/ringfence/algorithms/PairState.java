package io.ringfence.algorithms;

/** The counts of two adjacent aligned windows, the later of which contains {@link #newestNanos}. */
final class PairState implements CounterState {
  long newestNanos; // never falls, so the window's index never does
  long current; // >= 0; above the limit only after a forced debit
  long previous; // >= 0; likewise

  PairState(long newestNanos, long current, long previous) {
    this.newestNanos = newestNanos;
    this.current = current;
    this.previous = previous;
  }

  @Override
  public long payloadBytes() {
    return 3 * Long.BYTES;
  }
}
