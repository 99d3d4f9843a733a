package io.ringfence.engine;

import io.ringfence.engine.message.Deed.Mode;
import io.ringfence.engine.message.Late;
import io.ringfence.engine.message.Term;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was admitted here and owners do not know of yet, by counter: by local buckets in an owner's
 * place, and by this node as an owner, before it was cut off and another took over (late state) or
 * before it was started anew.
 *
 * <p>What a local bucket admitted is no more than what it has used and not forgotten: what a window
 * that is over, or a refill, has made up for is owed to nobody. Late state is owed until nothing
 * from then can matter. At most one entry a local bucket and one a counter that this node owned, so
 * the bounds of those tables are the bounds here.
 *
 * <p>Thread-safe; the monitor is held for a few instructions, or for a walk over what is due.
 */
final class Owed {
  private final Slots buckets; // the local ones
  private final Map<Id, Debt> debts = new LinkedHashMap<>(); // guarded by this

  Owed(Slots buckets) {
    this.buckets = buckets;
  }

  private record Id(CounterKey key, Mode mode, @Nullable Term term) {
    static Id of(Debt debt) {
      return new Id(debt.key(), debt.mode(), debt.late() == null ? null : debt.late().term());
    }
  }

  /**
   * What is owed to one counter.
   *
   * @param key the counter
   * @param slot where it lives
   * @param account on whose account it takes room
   * @param units 1 or more
   * @param untilNanos elapsed time at which nothing of it matters any more; of DEBIT it matters as
   *     much as its local bucket remembers, and as long
   * @param mode how it is claimed: DEBIT what a local bucket admitted, LATE late state, RECOVER
   *     what was saved before a restart
   * @param late of late state: where the units come from; else null
   */
  record Debt(
      CounterKey key,
      int slot,
      int account,
      long units,
      long untilNanos,
      Mode mode,
      @Nullable Late late) {

    /** What a local bucket admitted. */
    static Debt of(Counter bucket, long units) {
      return new Debt(
          bucket.key(),
          bucket.slot().number(),
          bucket.account(),
          units,
          Long.MAX_VALUE,
          Mode.DEBIT,
          null);
    }

    /** Late state of a counter. */
    static Debt late(Counter counter, long units, Late late, Moment now) {
      return of(counter, units, now, Mode.LATE, late);
    }

    /** All that a saved counter has used. */
    static Debt saved(Counter counter, Moment now) {
      return of(counter, counter.used(now), now, Mode.RECOVER, null);
    }

    private static Debt of(
        Counter counter, long units, Moment now, Mode mode, @Nullable Late late) {
      return new Debt(
          counter.key(),
          counter.slot().number(),
          counter.account(),
          units,
          counter.mattersUntilNanos(now),
          mode,
          late);
    }

    Debt of(long amount) {
      return new Debt(key, slot, account, amount, untilNanos, mode, late);
    }

    private Debt with(Debt other) {
      long sum = units > Long.MAX_VALUE - other.units ? Long.MAX_VALUE : units + other.units;
      long until = Math.max(untilNanos, other.untilNanos);
      return new Debt(key, slot, account, sum, until, mode, late);
    }
  }

  synchronized void add(Debt debt) {
    debts.merge(Id.of(debt), debt, Debt::with);
  }

  /** The charge was taken back; what was passed on meanwhile stays with its owner. */
  synchronized void subtract(CounterKey key, long units) {
    debts.computeIfPresent(
        new Id(key, Mode.DEBIT, null),
        (same, debt) -> debt.units() > units ? debt.of(debt.units() - units) : null);
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

  /** As much of these debts as still weighs. */
  List<Debt> weighing(List<Debt> taken, Moment now) {
    List<Debt> weighing = new ArrayList<>(taken.size());
    for (Debt debt : taken) {
      long units =
          debt.mode() == Mode.DEBIT
              ? Math.min(debt.units(), used(debt, now))
              : now.elapsedNanos() < debt.untilNanos() ? debt.units() : 0;
      if (units > 0) {
        weighing.add(debt.of(units));
      }
    }
    return weighing;
  }

  private long used(Debt debt, Moment now) {
    Counter bucket = buckets.get(debt.slot(), debt.key());
    if (bucket == null) {
      return 0;
    }
    synchronized (bucket) {
      return bucket.used(now);
    }
  }

  synchronized boolean isEmpty() {
    return debts.isEmpty();
  }

  synchronized int size() {
    return debts.size();
  }
}
