package io.ringfence.engine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What local buckets admitted and owners do not know of yet, by counter.
 *
 * <p>An entry is no more than what the local bucket has used and not forgotten: what a window that
 * is over, or a refill, has made up for is owed to nobody. At most one entry a local bucket, so the
 * bound of that table is the bound here.
 *
 * <p>Thread-safe; the monitor is held for a few instructions, or for a walk over what is due.
 */
final class Owed {
  private final Slots buckets; // the local ones
  private final Map<CounterKey, Debt> debts = new LinkedHashMap<>(); // guarded by this

  Owed(Slots buckets) {
    this.buckets = buckets;
  }

  /**
   * What is owed to one counter.
   *
   * @param key the counter
   * @param slot where it lives
   * @param account on whose account it takes room
   * @param units 1 or more
   */
  record Debt(CounterKey key, int slot, int account, long units) {

    Debt of(long amount) {
      return new Debt(key, slot, account, amount);
    }
  }

  synchronized void add(Debt debt) {
    debts.merge(debt.key(), debt, (a, b) -> a.of(a.units() + b.units()));
  }

  /** The charge was taken back; what was passed on meanwhile stays with its owner. */
  synchronized void subtract(CounterKey key, long units) {
    debts.computeIfPresent(
        key, (same, debt) -> debt.units() > units ? debt.of(debt.units() - units) : null);
  }

  /** Takes out all that is still owed. */
  List<Debt> takeAll(Moment now) {
    List<Debt> taken;
    synchronized (this) {
      taken = new ArrayList<>(debts.values());
      debts.clear();
    }
    return weighing(taken, now);
  }

  /** As much of these debts as their buckets still remember. */
  List<Debt> weighing(List<Debt> taken, Moment now) {
    List<Debt> weighing = new ArrayList<>(taken.size());
    for (Debt debt : taken) {
      Counter bucket = buckets.get(debt.slot(), debt.key());
      if (bucket != null) {
        synchronized (bucket) {
          long units = Math.min(debt.units(), bucket.used(now));
          if (units > 0) {
            weighing.add(debt.of(units));
          }
        }
      }
    }
    return weighing;
  }

  synchronized boolean isEmpty() {
    return debts.isEmpty();
  }

  synchronized int size() {
    return debts.size();
  }
}
