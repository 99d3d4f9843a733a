package io.ringfence.chaos.sim;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What one check was charged at one counter of one node, as the reference saw it. */
final class Charge {
  final Call call;
  final CounterName name;
  final SimNode holder;
  final ReferenceCounter counter;
  final ReferenceCounter.Entry entry;
  final @Nullable Question question; // by which another node charged it; null for the caller's own

  private final Set<Call> mayHold = new HashSet<>(); // repeats that may or may not hold it
  private boolean repeated;
  private int holds = 1; // of those it was made for, that have not let it go
  private boolean stands = true; // not taken back, by a cancel or by the caller itself

  Charge(
      Call call,
      CounterName name,
      SimNode holder,
      ReferenceCounter counter,
      ReferenceCounter.Entry entry,
      @Nullable Question question) {
    this.call = call;
    this.name = name;
    this.holder = holder;
    this.counter = counter;
    this.entry = entry;
    this.question = question;
  }

  /** Whether nothing took it back. */
  boolean stands() {
    return stands;
  }

  /** Whether it was made at that counter for that call, or for the request that it repeats. */
  boolean isFor(Call other, CounterName counter) {
    PlannedCall.Name request = call.plan.name();
    boolean same = call == other || (request != null && request.equals(other.plan.name()));
    return same && name.equals(counter);
  }

  /** A repeat of its request was told that it passed on this charge. */
  void hold() {
    holds++;
    repeated = true;
  }

  /** Whether somebody that it was made for has not let it go. */
  boolean isHeld() {
    return holds > 0;
  }

  /** Whether a repeat of its request ever passed on it. */
  boolean wasHeld() {
    return repeated;
  }

  /** A repeat of its request may pass on this charge, or not have come to it yet. */
  void mayHold(Call repeat) {
    mayHold.add(repeat);
  }

  /** One that it was made for lets it go; if it was the last, it is taken back. */
  void takeBack() {
    holds--;
    if (!stands || holds > 0) {
      return;
    }
    if (mayHold.stream().anyMatch(Call::pending)) {
      counter.becomesUnsure();
    } else {
      stands = false;
      counter.takeBack(entry, holder.clock.now());
    }
  }
}
