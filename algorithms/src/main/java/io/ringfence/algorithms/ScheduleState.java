package io.ringfence.algorithms;

/** A point on a virtual schedule; see {@link VirtualSchedule} for what the words mean. */
final class ScheduleState implements CounterState {
  long newestNanos; // never falls
  long fullAtNanos; // newestNanos <= fullAtNanos <= newestNanos + 2^62
  long fullAtFraction; // 0 <= fullAtFraction < L, in L-ths of a nanosecond

  ScheduleState(long newestNanos, long fullAtNanos, long fullAtFraction) {
    this.newestNanos = newestNanos;
    this.fullAtNanos = fullAtNanos;
    this.fullAtFraction = fullAtFraction;
  }

  @Override
  public long payloadBytes() {
    return 3 * Long.BYTES;
  }
}
