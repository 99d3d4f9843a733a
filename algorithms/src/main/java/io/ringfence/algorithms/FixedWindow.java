package io.ringfence.algorithms;

/**
 * Counts in windows aligned to the epoch: at most {@code limit} units in each, then denials until
 * the window ends. The cheapest of the six. Both sides of an edge are full windows, so twice the
 * limit can pass in an instant around one, and everybody's wait ends at the same edge.
 *
 * <p>State: 16 bytes, the newest time seen and the count of the window that contains it. The count
 * is only dropped when a newer stamp falls into a later window. A stamp of an earlier window is
 * counted in the state's own one, so the index of the window never falls.
 */
public final class FixedWindow extends Window implements Algorithm {
  /**
   * A window that has counted nothing.
   *
   * @param limit units a window, 0..10^12; 0 denies always
   * @param windowNanos 1 ms..400 days
   */
  public FixedWindow(long limit, long windowNanos) {
    this(new Parameters(Kind.FIXED_WINDOW, limit, windowNanos, 0));
  }

  FixedWindow(Parameters parameters) {
    super(parameters);
  }

  @Override
  public Timeline timeline() {
    return Timeline.WALL;
  }

  @Override
  public CounterState fresh(long nowNanos) {
    Bounds.requireTime(nowNanos);
    return new WindowState(nowNanos, 0);
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
    WindowState window = advanced(state, nowNanos);
    long endNanos = endOfWindow(window.newestNanos);
    boolean allowed = window.used <= limit - cost;
    long waitNanos = 0;
    if (!allowed) {
      waitNanos = cost > limit ? Decision.NEVER : endNanos - window.newestNanos;
    } else if (charge) {
      window.used += cost;
    }
    return new Decision(allowed, limit, Math.max(0, limit - window.used), waitNanos, endNanos, 0);
  }

  @Override
  public void credit(CounterState state, long amount, long nowNanos) {
    Bounds.requireCost(amount);
    WindowState window = advanced(state, nowNanos);
    window.used = Math.max(0, window.used - amount);
  }

  @Override
  public long undo(
      CounterState state, long cost, long chargedAtNanos, long leastOwed, long nowNanos) {
    Bounds.requireCost(cost);
    Bounds.requireTime(chargedAtNanos);
    WindowState window = advanced(state, nowNanos);
    if (window.newestNanos >= endOfWindow(chargedAtNanos)) {
      return 0;
    }
    long givenBack = Math.min(window.used, Math.min(cost, leastOwed));
    window.used -= givenBack;
    return givenBack;
  }

  @Override
  public long owed(CounterState state, long nowNanos) {
    return advanced(state, nowNanos).used;
  }

  @Override
  public boolean refills() {
    return false;
  }

  @Override
  public void debit(CounterState state, long amount, long nowNanos) {
    Bounds.requireCost(amount);
    WindowState window = advanced(state, nowNanos);
    window.used = Bounds.saturatingAdd(window.used, amount);
  }

  @Override
  public void merge(CounterState into, CounterState other, long nowNanos) {
    WindowState theirs = own(other);
    WindowState window = advanced(into, Math.max(nowNanos, theirs.newestNanos));
    if (window.newestNanos < endOfWindow(theirs.newestNanos)) {
      window.used = Math.max(window.used, theirs.used);
    }
  }

  @Override
  public CounterState adopt(Algorithm old, CounterState state, long nowNanos) {
    if (!(old instanceof FixedWindow before)) {
      return fresh(nowNanos);
    }
    WindowState window = before.advanced(state, nowNanos);
    return new WindowState(window.newestNanos, window.used);
  }

  /** Two words: the newest time seen and the count of the window that contains it. */
  @Override
  public long[] snapshot(CounterState state, long nowNanos) {
    WindowState window = advanced(state, nowNanos);
    return new long[] {window.newestNanos, window.used};
  }

  @Override
  public CounterState restore(long[] words, long nowNanos) {
    Bounds.requireTime(nowNanos);
    requireWords(words.length == 2, words.length + " words, not 2");
    Bounds.requireTime(words[0]);
    requireWords(words[1] >= 0, "count " + words[1] + " is negative");
    return advanced(new WindowState(words[0], words[1]), nowNanos);
  }

  @Override
  public boolean isFresh(CounterState state, long nowNanos) {
    Bounds.requireTime(nowNanos);
    return freshAtNanos(state) <= Math.max(nowNanos, own(state).newestNanos);
  }

  @Override
  public long freshAtNanos(CounterState state) {
    WindowState window = own(state);
    return window.used == 0 ? window.newestNanos : endOfWindow(window.newestNanos);
  }

  @Override
  public long forgetsAtNanos(long sinceNanos) {
    Bounds.requireTime(sinceNanos);
    return endOfWindow(sinceNanos);
  }

  @Override
  public FixedWindow scaled(long numerator, long denominator) {
    return new FixedWindow(parameters.scaled(numerator, denominator));
  }

  private WindowState advanced(CounterState state, long nowNanos) {
    Bounds.requireTime(nowNanos);
    WindowState window = own(state);
    if (nowNanos > window.newestNanos) {
      if (nowNanos >= endOfWindow(window.newestNanos)) {
        window.used = 0;
      }
      window.newestNanos = nowNanos;
    }
    return window;
  }

  private WindowState own(CounterState state) {
    if (state instanceof WindowState window) {
      return window;
    }
    throw foreignState();
  }
}
