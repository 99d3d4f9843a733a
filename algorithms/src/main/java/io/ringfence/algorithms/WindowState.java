package io.ringfence.algorithms;

/** The count of one aligned window, the one that contains {@link #newestNanos}. */
final class WindowState implements CounterState {
  long newestNanos; // never falls, so the window's index never does
  long used; // >= 0; above the limit only after a forced debit

  WindowState(long newestNanos, long used) {
    this.newestNanos = newestNanos;
    this.used = used;
  }

  @Override
  public long payloadBytes() {
    return 2 * Long.BYTES;
  }
}
