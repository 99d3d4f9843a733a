package io.ringfence.chaos.sim;

import org.jspecify.annotations.Nullable;

/** What one check was charged at one counter of one node, as the reference saw it. */
final class Charge {
  final Call call;
  final CounterName name;
  final SimNode holder;
  final ReferenceCounter counter;
  final ReferenceCounter.Entry entry;
  final @Nullable Question question; // by which another node charged it; null for the caller's own

  final long madeNanos; // virtual

  private State state = State.STANDS;

  Charge(
      Call call,
      CounterName name,
      SimNode holder,
      ReferenceCounter counter,
      ReferenceCounter.Entry entry,
      @Nullable Question question,
      long madeNanos) {
    this.call = call;
    this.name = name;
    this.holder = holder;
    this.counter = counter;
    this.entry = entry;
    this.question = question;
    this.madeNanos = madeNanos;
  }

  /** What became of a charge. */
  enum State {
    STANDS,
    /** A cancel, or the caller itself, took it back. */
    TAKEN_BACK,
    /** Its counter is gone, as its node lost the slot. */
    GONE
  }

  State state() {
    return state;
  }

  void takeBack() {
    if (state == State.STANDS) {
      state = State.TAKEN_BACK;
      counter.takeBack(entry, holder.clock.now());
    }
  }

  void gone() {
    if (state == State.STANDS) {
      state = State.GONE;
    }
  }
}
