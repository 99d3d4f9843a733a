package io.ringfence.algorithms;

import java.util.Arrays;

/**
 * Remembers every admitted charge for exactly one window: a charge at t counts until t + W and not
 * at t + W. So no span of length W, wherever it starts, ever holds more than the limit. The only
 * one of the six that is exact about any window, and the only one whose memory grows with use.
 *
 * <p><b>What is stored.</b> Admitted charges only, so a flood of denied requests costs nothing. An
 * entry is 8 bytes while all costs are 1, else 16 ({@link LogState}). A charge, also a denied one,
 * costs amortised constant time plus one bisection.
 *
 * <p><b>The bound.</b> Up to 2^20 live entries each charge has its own. Beyond that (limits above a
 * million, in full use) charges that fall into the same 2^-20 of a window share an entry, which
 * counts as long as its latest charge: at most 2^21 + 1 entries, 64 MiB. This errs towards denying,
 * by a millionth of the window at most; it never admits more. It is counted by {@link #folded}.
 * Undoing a charge that was folded takes its weight back and leaves its entry as late as it made
 * it.
 *
 * <p><b>Refunds.</b> A refund does not say which charge it takes back. It takes the oldest, because
 * taking a newer one could let a charge that was not refunded slip out of the window early.
 */
public final class SlidingWindowLog extends Window implements Algorithm {
  private final long tickNanos; // ceil(W / 2^20)

  /**
   * A log without entries.
   *
   * @param limit units in any span of one window, 0..10^12; 0 denies always
   * @param windowNanos 1 ms..400 days
   */
  public SlidingWindowLog(long limit, long windowNanos) {
    this(new Parameters(Kind.SLIDING_WINDOW_LOG, limit, windowNanos, 0));
  }

  SlidingWindowLog(Parameters parameters) {
    super(parameters);
    this.tickNanos = (windowNanos + LogState.TICKS_PER_WINDOW - 1) / LogState.TICKS_PER_WINDOW;
  }

  @Override
  public Timeline timeline() {
    return Timeline.ELAPSED;
  }

  @Override
  public CounterState fresh(long nowNanos) {
    Bounds.requireTime(nowNanos);
    return new LogState(nowNanos);
  }

  @Override
  public Decision peek(CounterState state, long cost, long nowNanos) {
    return decide(state, cost, nowNanos, false);
  }

  @Override
  public Decision charge(CounterState state, long cost, long nowNanos) {
    return decide(state, cost, nowNanos, true);
  }

  private Decision decide(CounterState state, long cost, long nowNanos, boolean charge) {
    Bounds.requireCost(cost);
    LogState log = advanced(state, nowNanos);
    boolean allowed = log.used <= limit - cost;
    long waitNanos = 0;
    if (!allowed) {
      waitNanos = cost > limit ? Decision.NEVER : waitNanos(log, cost);
    } else if (charge) {
      log.record(log.newestNanos, cost, tickNanos);
    }
    long resetAtNanos = log.isEmpty() ? log.newestNanos : log.timeAt(0) + windowNanos;
    return new Decision(allowed, limit, Math.max(0, limit - log.used), waitNanos, resetAtNanos, 0);
  }

  /** Until so many of the oldest entries have expired that the cost fits. */
  private long waitNanos(LogState log, long cost) {
    int last = log.reaching(log.used - (limit - cost));
    return log.timeAt(last) + windowNanos - log.newestNanos;
  }

  /** How many charges of this counter were given an entry that they share with an earlier one. */
  public long folded(CounterState state) {
    return own(state).folded;
  }

  @Override
  public void credit(CounterState state, long amount, long nowNanos) {
    Bounds.requireCost(amount);
    LogState log = advanced(state, nowNanos);
    log.takeOldest(Math.min(amount, log.used));
  }

  @Override
  public long undo(
      CounterState state, long cost, long chargedAtNanos, long leastOwed, long nowNanos) {
    Bounds.requireCost(cost);
    Bounds.requireTime(chargedAtNanos);
    advanced(state, nowNanos).takeAt(chargedAtNanos, cost, tickNanos);
    return 0;
  }

  @Override
  public long owed(CounterState state, long nowNanos) {
    return Long.MAX_VALUE;
  }

  @Override
  public boolean refills() {
    return false;
  }

  @Override
  public void debit(CounterState state, long amount, long nowNanos) {
    Bounds.requireCost(amount);
    LogState log = advanced(state, nowNanos);
    long weight = Math.min(amount, LogState.MAX_WEIGHT - log.used);
    if (weight > 0) {
      log.record(log.newestNanos, weight, tickNanos);
    }
  }

  /**
   * What a log will deny is decided by one function: how much was charged at or after t, for every
   * t. The merged log is the one whose function is the larger of the two at every t, built from the
   * newest entry back.
   */
  @Override
  public void merge(CounterState into, CounterState other, long nowNanos) {
    LogState theirs = own(other);
    LogState log = advanced(into, Math.max(nowNanos, theirs.newestNanos));
    LogState joined = LogJoin.join(log, theirs, log.newestNanos - windowNanos, tickNanos);
    log.replaceWith(joined);
  }

  @Override
  public CounterState adopt(Algorithm old, CounterState state, long nowNanos) {
    if (!(old instanceof SlidingWindowLog before)) {
      return fresh(nowNanos);
    }
    return advanced(before.advanced(state, nowNanos), nowNanos);
  }

  /** Two words for each instant with entries, oldest first: its age and what was charged at it. */
  @Override
  public long[] snapshot(CounterState state, long nowNanos) {
    LogState log = advanced(state, nowNanos);
    long[] words = new long[2 * log.size()];
    int length = 0;
    for (int index = 0; index < log.size(); index++) {
      long age = log.newestNanos - log.timeAt(index);
      if (length == 0 || words[length - 2] != age) {
        words[length] = age;
        length += 2;
      }
      words[length - 1] += log.weightAt(index);
    }
    return Arrays.copyOf(words, length);
  }

  @Override
  public CounterState restore(long[] words, long nowNanos) {
    Bounds.requireTime(nowNanos);
    requireWords(words.length % 2 == 0, words.length + " words are not pairs");
    requireWords(
        words.length / 2 <= LogState.MAX_ENTRIES,
        words.length / 2 + " entries, more than " + LogState.MAX_ENTRIES);
    LogState log = new LogState(nowNanos);
    long youngest = windowNanos - 1;
    for (int at = 0; at < words.length; at += 2) {
      long age = words[at];
      long weight = words[at + 1];
      requireWords(age >= 0 && age <= youngest, "age " + age + " is outside 0.." + youngest);
      requireWords(
          weight >= 1 && weight <= LogState.MAX_WEIGHT - log.used,
          "weight " + weight + " is outside 1.." + (LogState.MAX_WEIGHT - log.used));
      log.append(nowNanos - age, weight);
      youngest = age;
    }
    return log;
  }

  @Override
  public boolean isFresh(CounterState state, long nowNanos) {
    Bounds.requireTime(nowNanos);
    return freshAtNanos(state) <= Math.max(nowNanos, own(state).newestNanos);
  }

  @Override
  public long freshAtNanos(CounterState state) {
    LogState log = own(state);
    return log.isEmpty() ? log.newestNanos : log.timeAt(log.size() - 1) + windowNanos;
  }

  @Override
  public long forgetsAtNanos(long sinceNanos) {
    Bounds.requireTime(sinceNanos);
    return sinceNanos + windowNanos;
  }

  @Override
  public SlidingWindowLog scaled(long numerator, long denominator) {
    return new SlidingWindowLog(parameters.scaled(numerator, denominator));
  }

  private LogState advanced(CounterState state, long nowNanos) {
    Bounds.requireTime(nowNanos);
    LogState log = own(state);
    log.newestNanos = Math.max(log.newestNanos, nowNanos);
    log.dropThrough(log.newestNanos - windowNanos);
    return log;
  }

  private LogState own(CounterState state) {
    if (state instanceof LogState log) {
      return log;
    }
    throw foreignState();
  }
}
