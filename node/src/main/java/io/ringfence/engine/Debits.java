package io.ringfence.engine;

import io.ringfence.engine.message.Ledger;
import io.ringfence.engine.message.Ledger.Debited;
import io.ringfence.engine.message.RequestKey;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Which debits a counter has taken within the last minute. Who debits repeats itself until it is
 * answered, and the counter may have moved by then; so this moves, and is copied, with the counter.
 * Beyond {@link CounterCopy#MAX_DEBITS} the oldest is forgotten.
 *
 * <p>Guarded by its counter's lock.
 */
final class Debits {
  private final Deque<Taken> taken = new ArrayDeque<>(2); // oldest first

  private record Taken(RequestKey request, long atNanos) {}

  /** As another process tells it. */
  static Debits of(List<Debited> told, long nowNanos) {
    Debits debits = new Debits();
    told.forEach(one -> debits.taken.add(new Taken(one.request(), nowNanos - one.ageNanos())));
    return debits;
  }

  void add(RequestKey request, long nowNanos) {
    forgetOld(nowNanos);
    if (taken.size() == Ledger.MAX_DEBITS) {
      taken.poll();
    }
    taken.add(new Taken(request, nowNanos));
  }

  boolean has(RequestKey request, long nowNanos) {
    forgetOld(nowNanos);
    return taken.stream().anyMatch(one -> one.request().equals(request));
  }

  /** As it is told to another process. */
  List<Debited> told(long nowNanos) {
    forgetOld(nowNanos);
    return taken.stream()
        .map(one -> new Debited(one.request(), Math.max(0, nowNanos - one.atNanos())))
        .toList();
  }

  private void forgetOld(long nowNanos) {
    while (!taken.isEmpty() && nowNanos - taken.peek().atNanos() >= RequestMemory.MEMORY_NANOS) {
      taken.poll();
    }
  }
}
