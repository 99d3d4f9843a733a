package io.ringfence.algorithms;

/**
 * How one limit decides. An algorithm is immutable and shared by all counters of its limit; what a
 * counter has used is its {@link CounterState}.
 *
 * <p><b>Time.</b> Every call takes the time in nanoseconds on the algorithm's own {@link
 * #timeline()}, within plus or minus 2^62. A state remembers the newest time it has seen. A stamp
 * older than that is taken for that newest time, and waits are counted from it: a clock that steps
 * back neither refunds nor locks out, and late stamps never credit an interval twice. What is due
 * exactly at an instant is available at that instant.
 *
 * <p><b>Amounts.</b> Costs and amounts are whole units, 1..10^12. Nothing is rounded in the state;
 * answers round {@code remaining} down and waits up.
 *
 * <p><b>Threads.</b> Nothing blocks, reads a clock or starts a thread. The algorithm may be used
 * from any thread; a state only under the lock of its owner.
 *
 * <p><b>Errors.</b> A cost, time or parameter outside its range, and a state made by another kind
 * of algorithm, throw {@link IllegalArgumentException} before anything has changed. A denial is a
 * value.
 */
public sealed interface Algorithm
    permits FixedWindow, Gcra, LeakingBucket, SlidingWindowCounter, SlidingWindowLog, TokenBucket {

  /**
   * The algorithm of that kind.
   *
   * @param limit units a window, 0..10^12; 0 denies always
   * @param windowNanos 1 ms..400 days
   * @param burst capacity of a token bucket or burst of GCRA, 1..10^12; queue of a leaking bucket,
   *     0..10^12; 0 for the other kinds and wherever the limit is 0. {@link Kind#defaultBurst} is
   *     what a rule gets that states none
   * @throws IllegalArgumentException naming the parameter, its value and its range; also where a
   *     full refill would take longer than 146 years
   */
  static Algorithm of(Kind kind, long limit, long windowNanos, long burst) {
    return of(new Parameters(kind, limit, windowNanos, burst));
  }

  /** The algorithm with those parameters. */
  private static Algorithm of(Parameters parameters) {
    return switch (parameters.kind()) {
      case TOKEN_BUCKET -> new TokenBucket(parameters);
      case LEAKING_BUCKET -> new LeakingBucket(parameters);
      case GCRA -> new Gcra(parameters);
      case FIXED_WINDOW -> new FixedWindow(parameters);
      case SLIDING_WINDOW_LOG -> new SlidingWindowLog(parameters);
      case SLIDING_WINDOW_COUNTER -> new SlidingWindowCounter(parameters);
    };
  }

  /** Which of the six this is. */
  Kind kind();

  /** Which clock the time arguments come from. */
  Timeline timeline();

  /** Units a window, as configured. */
  long limit();

  /** The window, as configured. */
  long windowNanos();

  /** Capacity, burst or queue as configured; 0 for the kinds without one. */
  long burst();

  /** What can pass at once from full: the {@code limit} of every {@link Decision}. */
  long capacity();

  /** The state of a counter that has used nothing. */
  CounterState fresh(long nowNanos);

  /**
   * What a check of that cost would be told now. Charges nothing. {@code allowed}, {@code
   * retryAfterNanos} and {@code delayNanos} are for that cost; {@code remaining} and {@code
   * resetAtNanos} are as they stand before it.
   */
  Decision peek(CounterState state, long cost, long nowNanos);

  /**
   * Charges the cost if it fits, and nothing otherwise. The numbers are as they stand afterwards.
   */
  Decision charge(CounterState state, long cost, long nowNanos);

  /**
   * Gives back up to {@code amount} units: never above full. A window gives back only what the
   * current window holds; the log gives back its oldest entries first, so that no window of what
   * was not refunded ever exceeds the limit.
   */
  void credit(CounterState state, long amount, long nowNanos);

  /**
   * Takes back one charge, as far as it still weighs. After it every later decision is as if that
   * charge had never been asked for, but for what others were told meanwhile.
   *
   * <p>What a bucket has refilled since, or a refund has given back, cannot be given back again:
   * without the charge the counter would have been full sooner, and would have stood there full.
   * How much that is follows from the least that was owed when it changed since. (Two cases are not
   * that exact, and give back too little or too much by no more than the refund: a log, whose
   * refunds take its oldest entries, and a sliding counter whose window has turned meanwhile.)
   *
   * @param chargedAtNanos when the charge was made
   * @param leastOwed the least {@link #owed} right before any later charge or debit and right after
   *     any later credit; {@link Long#MAX_VALUE} where there was none
   * @return how much less is owed by that, in the measure of {@link #owed}, rounded up
   */
  long undo(CounterState state, long cost, long chargedAtNanos, long leastOwed, long nowNanos);

  /**
   * How far the counter is from full, in a measure of its own: of a bucket the nanoseconds that it
   * takes to be full again, rounded down; of a window the units that it holds; {@link
   * Long#MAX_VALUE} for the log, which knows each charge by its time and needs no such bound.
   */
  long owed(CounterState state, long nowNanos);

  /** Whether what is owed shrinks by itself, little by little, as a bucket's does. */
  boolean refills();

  /**
   * Charges the amount whether or not it fits. What passes the limit makes the wait longer; what
   * passes the representable is cut off there.
   */
  void debit(CounterState state, long amount, long nowNanos);

  /**
   * Makes {@code into} carry what either state carries, counting shared history once: the least
   * state that denies from now on whatever either would deny. {@code other} is not changed.
   * Idempotent, commutative and associative.
   *
   * <p>Both states must be on the same timeline of the same process; see {@link #restore} for one
   * that came from elsewhere.
   */
  void merge(CounterState into, CounterState other, long nowNanos);

  /**
   * A state of this algorithm for a counter that lived under {@code old}: what was used stays used.
   * A window of another length carries what still counted, all of it, into the current window. A
   * state of another kind says nothing about this one, so the counter starts fresh. {@code state}
   * must not be used afterwards.
   */
  CounterState adopt(Algorithm old, CounterState state, long nowNanos);

  /**
   * The state as numbers that another process can read: ages before {@code nowNanos} where the
   * timeline is {@link Timeline#ELAPSED}, absolute values where it is {@link Timeline#WALL}.
   */
  long[] snapshot(CounterState state, long nowNanos);

  /**
   * The state that those numbers describe, on the timeline of this process.
   *
   * @param words as {@link #snapshot} wrote them under the same parameters
   * @throws IllegalArgumentException if they are not, whatever they are
   */
  CounterState restore(long[] words, long nowNanos);

  /**
   * Whether the state decides, now and ever after, as a fresh one would, so that it can be dropped.
   */
  boolean isFresh(CounterState state, long nowNanos);

  /** The first instant at which {@link #isFresh} holds if nothing more is charged. */
  long freshAtNanos(CounterState state);

  /**
   * The first instant at which nothing that was charged before {@code sinceNanos} can matter any
   * more, whatever it was (forced debits beyond the limit aside); {@link Long#MAX_VALUE} where it
   * does not fit.
   */
  long forgetsAtNanos(long sinceNanos);

  /**
   * The same limit for a share of the traffic: limit and capacity times numerator / denominator,
   * each rounded down but at least 1, and the capacity no more than the share's own rate can refill
   * in 146 years. A limit of 0 stays 0.
   *
   * @param numerator 0..denominator
   * @param denominator 1..10^12
   */
  Algorithm scaled(long numerator, long denominator);
}
