package io.ringfence.algorithms;

/**
 * Estimates the sliding log from two counts: all of the current window, aligned to the epoch, and
 * of the previous one the share that a window ending now still overlaps. With p and c the two
 * counts and f the fraction of the current window that has passed, the estimate is p x (1 - f) + c,
 * and a cost is admitted while estimate + cost stays within the limit. It assumes that the previous
 * window's requests came evenly: it may let p x f too many through, or p x (1 - f) too few, and for
 * arrivals without a pattern it is off by sqrt(p f (1 - f)) (standard deviation, largest in
 * mid-window).
 *
 * <p><b>Exactness.</b> The estimate is never computed as a fraction. Both sides of the comparison
 * are multiplied by W and compared as 128-bit integers. Remaining units round the estimate up; the
 * wait is the first nanosecond at which the comparison holds, through the end of this window and
 * the next if need be.
 *
 * <p>State: 24 bytes, the newest time seen and the two counts. The windows roll only for newer
 * stamps, so the index never falls; a gap of two windows or more leaves nothing.
 */
public final class SlidingWindowCounter extends Window implements Algorithm {
  /**
   * A counter that has counted nothing.
   *
   * @param limit units a window, 0..10^12; 0 denies always
   * @param windowNanos 1 ms..400 days
   */
  public SlidingWindowCounter(long limit, long windowNanos) {
    this(new Parameters(Kind.SLIDING_WINDOW_COUNTER, limit, windowNanos, 0));
  }

  SlidingWindowCounter(Parameters parameters) {
    super(parameters);
  }

  @Override
  public Timeline timeline() {
    return Timeline.WALL;
  }

  @Override
  public CounterState fresh(long nowNanos) {
    Bounds.requireTime(nowNanos);
    return new PairState(nowNanos, 0, 0);
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
    PairState pair = advanced(state, nowNanos);
    long endNanos = endOfWindow(pair.newestNanos);
    long leftNanos = endNanos - pair.newestNanos;
    long waitNanos = cost > limit ? Decision.NEVER : waitNanos(pair, limit - cost, leftNanos);
    if (waitNanos == 0 && charge) {
      pair.current += cost;
    }
    return new Decision(
        waitNanos == 0,
        limit,
        Math.max(0, limit - estimate(pair, leftNanos)),
        waitNanos,
        endNanos,
        0);
  }

  /**
   * How long until the estimate is at most {@code room}, rounded up to a nanosecond: until the
   * previous window's share has shrunk far enough, or, where the current window alone exceeds the
   * room, until that one has become the previous and has shrunk in turn.
   */
  private long waitNanos(PairState pair, long room, long leftNanos) {
    if (pair.current > room) {
      long overlapNanos = Ratio.floor(room, windowNanos, pair.current);
      return leftNanos + windowNanos - overlapNanos;
    }
    long head = room - pair.current;
    if (Ratio.atMost(pair.previous, leftNanos, head, windowNanos)) {
      return 0;
    }
    return leftNanos - Ratio.floor(head, windowNanos, pair.previous);
  }

  /** The estimate rounded up, saturated. */
  private long estimate(PairState pair, long leftNanos) {
    return Bounds.saturatingAdd(pair.current, Ratio.ceil(pair.previous, leftNanos, windowNanos));
  }

  @Override
  public void credit(CounterState state, long amount, long nowNanos) {
    Bounds.requireCost(amount);
    PairState pair = advanced(state, nowNanos);
    pair.current = Math.max(0, pair.current - amount);
  }

  @Override
  public long undo(
      CounterState state, long cost, long chargedAtNanos, long leastOwed, long nowNanos) {
    Bounds.requireCost(cost);
    Bounds.requireTime(chargedAtNanos);
    PairState pair = advanced(state, nowNanos);
    long endNanos = endOfWindow(chargedAtNanos);
    if (pair.newestNanos < endNanos) {
      long givenBack = Math.min(pair.current, Math.min(cost, leastOwed));
      pair.current -= givenBack;
      return givenBack;
    }
    if (pair.newestNanos < endNanos + windowNanos) {
      pair.previous = Math.max(0, pair.previous - cost);
    }
    return 0;
  }

  @Override
  public long owed(CounterState state, long nowNanos) {
    return advanced(state, nowNanos).current;
  }

  @Override
  public boolean refills() {
    return false;
  }

  @Override
  public void debit(CounterState state, long amount, long nowNanos) {
    Bounds.requireCost(amount);
    PairState pair = advanced(state, nowNanos);
    pair.current = Bounds.saturatingAdd(pair.current, amount);
  }

  /**
   * Takes the larger count of each of the two windows, so it carries every charge that either copy
   * knows of.
   */
  @Override
  public void merge(CounterState into, CounterState other, long nowNanos) {
    PairState theirs = own(other);
    PairState pair = advanced(into, Math.max(nowNanos, theirs.newestNanos));
    PairState caughtUp =
        advanced(
            new PairState(theirs.newestNanos, theirs.current, theirs.previous), pair.newestNanos);
    pair.current = Math.max(pair.current, caughtUp.current);
    pair.previous = Math.max(pair.previous, caughtUp.previous);
  }

  @Override
  public CounterState adopt(Algorithm old, CounterState state, long nowNanos) {
    if (!(old instanceof SlidingWindowCounter before)) {
      return fresh(nowNanos);
    }
    PairState pair = before.advanced(state, nowNanos);
    if (before.windowNanos == windowNanos) {
      return new PairState(pair.newestNanos, pair.current, pair.previous);
    }
    long stillCounted =
        before.estimate(pair, before.endOfWindow(pair.newestNanos) - pair.newestNanos);
    return new PairState(pair.newestNanos, stillCounted, 0);
  }

  /**
   * Three words: the newest time seen, the count of the window that contains it, and the count of
   * the one before.
   */
  @Override
  public long[] snapshot(CounterState state, long nowNanos) {
    PairState pair = advanced(state, nowNanos);
    return new long[] {pair.newestNanos, pair.current, pair.previous};
  }

  @Override
  public CounterState restore(long[] words, long nowNanos) {
    Bounds.requireTime(nowNanos);
    requireWords(words.length == 3, words.length + " words, not 3");
    Bounds.requireTime(words[0]);
    requireWords(words[1] >= 0, "current count " + words[1] + " is negative");
    requireWords(words[2] >= 0, "previous count " + words[2] + " is negative");
    return advanced(new PairState(words[0], words[1], words[2]), nowNanos);
  }

  @Override
  public boolean isFresh(CounterState state, long nowNanos) {
    Bounds.requireTime(nowNanos);
    return freshAtNanos(state) <= Math.max(nowNanos, own(state).newestNanos);
  }

  @Override
  public long freshAtNanos(CounterState state) {
    PairState pair = own(state);
    long endNanos = endOfWindow(pair.newestNanos);
    if (pair.current > 0) {
      return endNanos + windowNanos;
    }
    return pair.previous > 0 ? endNanos : pair.newestNanos;
  }

  @Override
  public long forgetsAtNanos(long sinceNanos) {
    Bounds.requireTime(sinceNanos);
    return endOfWindow(sinceNanos) + windowNanos;
  }

  @Override
  public SlidingWindowCounter scaled(long numerator, long denominator) {
    return new SlidingWindowCounter(parameters.scaled(numerator, denominator));
  }

  private PairState advanced(CounterState state, long nowNanos) {
    Bounds.requireTime(nowNanos);
    PairState pair = own(state);
    if (nowNanos > pair.newestNanos) {
      long endNanos = endOfWindow(pair.newestNanos);
      if (nowNanos >= endNanos) {
        pair.previous = nowNanos < endNanos + windowNanos ? pair.current : 0;
        pair.current = 0;
      }
      pair.newestNanos = nowNanos;
    }
    return pair;
  }

  private PairState own(CounterState state) {
    if (state instanceof PairState pair) {
      return pair;
    }
    throw foreignState();
  }
}
