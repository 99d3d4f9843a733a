package io.ringfence.algorithms;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * The arithmetic that token bucket, leaking bucket and GCRA share.
 *
 * <p>A limit of L units a window of W ns earns one unit every W/L ns. Instead of a level that must
 * be refilled, a counter stores the instant at which it will be full again. A cost of k moves that
 * instant k x W/L ns later; it fits if the instant is then at most C x W/L ns ahead, where C is the
 * capacity. Nothing has to happen as time passes. This is the virtual scheduling algorithm of ITU-T
 * I.371 (GCRA), whose theoretical arrival time is our instant of being full. A token bucket of
 * capacity C, GCRA with burst C and a leaking bucket with a queue of C - 1 are thereby the same
 * arithmetic, and differ in what they tell the caller.
 *
 * <p><b>Exactness.</b> W/L is rarely whole. The instant is kept as whole nanoseconds and a
 * numerator over L, so each charge moves it by exactly k x W/L: no drift however long the counter
 * lives, and pacing finer than a nanosecond. Intermediate products have up to 95 bits and are
 * divided exactly by {@link Ratio}.
 *
 * <p><b>Rounding.</b> The state is never rounded. Waits, delays and the instant of being full are
 * rounded up to a nanosecond: waiting that long suffices, and one nanosecond less does not.
 * Remaining units are rounded down.
 *
 * <p><b>Invariants.</b> The newest time never falls; the instant of being full is never before it,
 * so a counter is never above full; nor more than 2^62 ns after it, where forced debits are cut
 * off.
 */
abstract class VirtualSchedule {
  private final Parameters parameters;
  private final long capacity; // 0 exactly when the limit is 0
  private final long rate; // L, but 1 when the limit is 0, so that it can divide
  private final long windowNanos;
  private final long unitNanos; // floor(W / L)
  private final long unitFraction; // W mod L, in L-ths of a nanosecond
  private final long fullNanos; // floor(C x W / L) <= 2^62
  private final long fullFraction; // the rest of it, in L-ths

  VirtualSchedule(Parameters parameters) {
    this.parameters = parameters;
    this.capacity = parameters.capacity();
    this.rate = Math.max(1, parameters.limit());
    this.windowNanos = parameters.windowNanos();
    this.unitNanos = windowNanos / rate;
    this.unitFraction = windowNanos % rate;
    this.fullNanos = Ratio.floor(capacity, windowNanos, rate);
    this.fullFraction = Ratio.remainder(capacity, windowNanos, rate, fullNanos);
    if (fullNanos >= Bounds.MAX_SPAN_NANOS) {
      throw new IllegalArgumentException(
          "burst "
              + parameters.burst()
              + " of "
              + parameters
              + " takes longer than 146 years to refill; at most "
              + largestCapacity(parameters.limit(), windowNanos)
              + " can pass at once at this rate");
    }
  }

  /**
   * The largest capacity whose full refill is representable; at least 1 for every accepted window.
   */
  private static long largestCapacity(long limit, long windowNanos) {
    return Math.min(Bounds.MAX_UNITS, Ratio.floor(Bounds.MAX_SPAN_NANOS - 1, limit, windowNanos));
  }

  /**
   * How long an admitted caller waits when the schedule is that far ahead; only a leaking bucket
   * delays.
   */
  abstract long delayNanos(long aheadNanos);

  public final Kind kind() {
    return parameters.kind();
  }

  public final Timeline timeline() {
    return Timeline.ELAPSED;
  }

  public final long limit() {
    return parameters.limit();
  }

  public final long windowNanos() {
    return windowNanos;
  }

  public final long burst() {
    return parameters.burst();
  }

  public final long capacity() {
    return capacity;
  }

  public final CounterState fresh(long nowNanos) {
    Bounds.requireTime(nowNanos);
    return new ScheduleState(nowNanos, nowNanos, 0);
  }

  public final Decision peek(CounterState state, long cost, long nowNanos) {
    return decide(state, cost, nowNanos, false);
  }

  public final Decision charge(CounterState state, long cost, long nowNanos) {
    return decide(state, cost, nowNanos, true);
  }

  private Decision decide(CounterState state, long cost, long nowNanos, boolean charge) {
    Bounds.requireCost(cost);
    ScheduleState schedule = advanced(state, nowNanos);
    long waitNanos = cost > capacity ? Decision.NEVER : waitNanos(schedule, cost);
    if (waitNanos > 0) {
      return answer(schedule, waitNanos, 0);
    }
    long delayNanos =
        delayNanos(roundedUp(schedule.fullAtNanos, schedule.fullAtFraction) - schedule.newestNanos);
    if (charge) {
      postpone(schedule, cost);
    }
    return answer(schedule, 0, delayNanos);
  }

  private Decision answer(ScheduleState schedule, long retryAfterNanos, long delayNanos) {
    return new Decision(
        retryAfterNanos == 0,
        capacity,
        remaining(schedule),
        retryAfterNanos,
        freshAt(schedule),
        delayNanos);
  }

  /** By how much a cost that could fit exceeds what is there, rounded up; 0 if it fits. */
  private long waitNanos(ScheduleState schedule, long cost) {
    long costNanos = costNanos(cost);
    long whole = schedule.fullAtNanos - schedule.newestNanos + costNanos - fullNanos;
    long fraction = schedule.fullAtFraction + costFraction(cost, costNanos) - fullFraction;
    if (fraction < 0) {
      fraction += rate;
      whole--;
    } else if (fraction >= rate) {
      fraction -= rate;
      whole++;
    }
    return Math.max(0, roundedUp(whole, fraction));
  }

  private long remaining(ScheduleState schedule) {
    long whole = fullNanos - (schedule.fullAtNanos - schedule.newestNanos);
    long fraction = fullFraction - schedule.fullAtFraction;
    if (fraction < 0) {
      fraction += rate;
      whole--;
    }
    return whole < 0 ? 0 : Ratio.floor(whole, rate, fraction, windowNanos);
  }

  private long costNanos(long cost) {
    return cost == 1 ? unitNanos : Ratio.floor(cost, windowNanos, rate);
  }

  private long costFraction(long cost, long costNanos) {
    return cost == 1 ? unitFraction : Ratio.remainder(cost, windowNanos, rate, costNanos);
  }

  private void postpone(ScheduleState schedule, long cost) {
    long costNanos = costNanos(cost);
    long aheadNanos = schedule.fullAtNanos - schedule.newestNanos;
    if (costNanos >= Bounds.MAX_SPAN_NANOS - aheadNanos) {
      schedule.fullAtNanos = schedule.newestNanos + Bounds.MAX_SPAN_NANOS;
      schedule.fullAtFraction = 0;
      return;
    }
    long fraction = schedule.fullAtFraction + costFraction(cost, costNanos);
    long carry = fraction >= rate ? 1 : 0;
    schedule.fullAtNanos += costNanos + carry;
    schedule.fullAtFraction = fraction - carry * rate;
  }

  public final void credit(CounterState state, long amount, long nowNanos) {
    Bounds.requireCost(amount);
    ScheduleState schedule = advanced(state, nowNanos);
    long costNanos = costNanos(amount);
    long aheadNanos = schedule.fullAtNanos - schedule.newestNanos;
    if (costNanos > aheadNanos) {
      fill(schedule);
      return;
    }
    long fraction = schedule.fullAtFraction - costFraction(amount, costNanos);
    long borrow = fraction < 0 ? 1 : 0;
    schedule.fullAtNanos -= costNanos + borrow;
    schedule.fullAtFraction = fraction + borrow * rate;
    if (schedule.fullAtNanos < schedule.newestNanos) {
      fill(schedule);
    }
  }

  /**
   * Let F be the instant of being full, and F' what it would be without the charge. At first they
   * are the cost apart. A later charge at t moves both to max(F, t) and max(F', t) before it adds
   * its own cost, after which they are min(F - F', F - t) apart: the least that was owed bounds
   * what the charge still weighs. (A credit likewise, with what is owed after it.)
   */
  public final long undo(
      CounterState state, long cost, long chargedAtNanos, long leastOwed, long nowNanos) {
    Bounds.requireCost(cost);
    Bounds.requireTime(chargedAtNanos);
    ScheduleState schedule = advanced(state, nowNanos);
    long owedRoundedUp =
        schedule.fullAtNanos - schedule.newestNanos + (schedule.fullAtFraction > 0 ? 1 : 0);
    if (leastOwed > costNanos(cost)) {
      credit(state, cost, nowNanos);
      long costNanos = costNanos(cost);
      return Math.min(owedRoundedUp, costNanos + (costFraction(cost, costNanos) > 0 ? 1 : 0));
    }
    schedule.fullAtNanos -= leastOwed;
    if (schedule.fullAtNanos < schedule.newestNanos) {
      fill(schedule);
    }
    return Math.min(owedRoundedUp, leastOwed);
  }

  public final long owed(CounterState state, long nowNanos) {
    ScheduleState schedule = advanced(state, nowNanos);
    return schedule.fullAtNanos - schedule.newestNanos;
  }

  public final boolean refills() {
    return true;
  }

  public final void debit(CounterState state, long amount, long nowNanos) {
    Bounds.requireCost(amount);
    postpone(advanced(state, nowNanos), amount);
  }

  public final void merge(CounterState into, CounterState other, long nowNanos) {
    ScheduleState theirs = own(other);
    ScheduleState schedule = advanced(into, Math.max(nowNanos, theirs.newestNanos));
    if (isLater(theirs.fullAtNanos, theirs.fullAtFraction, schedule)) {
      schedule.fullAtNanos = theirs.fullAtNanos;
      schedule.fullAtFraction = theirs.fullAtFraction;
    }
  }

  private static boolean isLater(long nanos, long fraction, ScheduleState than) {
    return nanos != than.fullAtNanos ? nanos > than.fullAtNanos : fraction > than.fullAtFraction;
  }

  /**
   * Converts the units used, exactly, from the old rate to this one; rounded up to an L-th of a
   * nanosecond.
   */
  final CounterState adoptFrom(@Nullable VirtualSchedule old, CounterState state, long nowNanos) {
    if (old == null || old.capacity == 0 || capacity == 0) {
      return fresh(nowNanos);
    }
    ScheduleState schedule = old.advanced(state, nowNanos);
    BigInteger owed =
        BigInteger.valueOf(schedule.fullAtNanos - schedule.newestNanos)
            .multiply(BigInteger.valueOf(old.rate))
            .add(BigInteger.valueOf(schedule.fullAtFraction))
            .multiply(BigInteger.valueOf(windowNanos));
    BigInteger[] fractions = owed.divideAndRemainder(BigInteger.valueOf(old.windowNanos));
    BigInteger roundedUp = fractions[0].add(BigInteger.valueOf(fractions[1].signum()));
    BigInteger[] parts = roundedUp.divideAndRemainder(BigInteger.valueOf(rate));
    boolean cutOff = parts[0].compareTo(BigInteger.valueOf(Bounds.MAX_SPAN_NANOS)) >= 0;
    long aheadNanos = cutOff ? Bounds.MAX_SPAN_NANOS : parts[0].longValueExact();
    long fraction = cutOff ? 0 : parts[1].longValueExact();
    return new ScheduleState(schedule.newestNanos, schedule.newestNanos + aheadNanos, fraction);
  }

  /** Two words: how far ahead of now the instant of being full is, whole nanoseconds and L-ths. */
  public final long[] snapshot(CounterState state, long nowNanos) {
    ScheduleState schedule = advanced(state, nowNanos);
    return new long[] {schedule.fullAtNanos - schedule.newestNanos, schedule.fullAtFraction};
  }

  public final CounterState restore(long[] words, long nowNanos) {
    Bounds.requireTime(nowNanos);
    if (words.length != 2) {
      throw new IllegalArgumentException(
          words.length + " words do not describe a " + parameters + "; 2 do");
    }
    if (words[0] < 0 || words[0] > Bounds.MAX_SPAN_NANOS) {
      throw new IllegalArgumentException(
          "nanoseconds until full " + words[0] + " are outside 0.." + Bounds.MAX_SPAN_NANOS);
    }
    if (words[1] < 0 || words[1] >= rate) {
      throw new IllegalArgumentException(
          "fraction until full " + words[1] + " is outside 0.." + (rate - 1));
    }
    return new ScheduleState(nowNanos, nowNanos + words[0], words[1]);
  }

  public final boolean isFresh(CounterState state, long nowNanos) {
    Bounds.requireTime(nowNanos);
    ScheduleState schedule = own(state);
    return freshAt(schedule) <= Math.max(nowNanos, schedule.newestNanos);
  }

  public final long freshAtNanos(CounterState state) {
    return freshAt(own(state));
  }

  private static long freshAt(ScheduleState schedule) {
    return roundedUp(schedule.fullAtNanos, schedule.fullAtFraction);
  }

  public final long forgetsAtNanos(long sinceNanos) {
    Bounds.requireTime(sinceNanos);
    return sinceNanos + roundedUp(fullNanos, fullFraction);
  }

  /** A share of these parameters, its capacity cut to what the share's own rate can refill. */
  final Parameters share(long numerator, long denominator) {
    Parameters share = parameters.scaled(numerator, denominator);
    if (share.limit() == 0) {
      return share;
    }
    long excess = Math.max(0, share.capacity() - largestCapacity(share.limit(), windowNanos));
    return new Parameters(share.kind(), share.limit(), windowNanos, share.burst() - excess);
  }

  private static long roundedUp(long nanos, long fraction) {
    return fraction > 0 ? nanos + 1 : nanos;
  }

  private static void fill(ScheduleState schedule) {
    schedule.fullAtNanos = schedule.newestNanos;
    schedule.fullAtFraction = 0;
  }

  private ScheduleState advanced(CounterState state, long nowNanos) {
    Bounds.requireTime(nowNanos);
    ScheduleState schedule = own(state);
    if (nowNanos > schedule.newestNanos) {
      schedule.newestNanos = nowNanos;
      if (schedule.fullAtNanos < nowNanos) {
        fill(schedule);
      }
    }
    return schedule;
  }

  private ScheduleState own(CounterState state) {
    if (state instanceof ScheduleState schedule) {
      return schedule;
    }
    throw new IllegalArgumentException("a " + parameters + " was given another algorithm's state");
  }

  @Override
  public final boolean equals(@Nullable Object other) {
    return other instanceof VirtualSchedule that && parameters.equals(that.parameters);
  }

  @Override
  public final int hashCode() {
    return parameters.hashCode();
  }

  @Override
  public final String toString() {
    return parameters.toString();
  }
}
