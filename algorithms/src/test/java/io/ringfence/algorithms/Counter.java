package io.ringfence.algorithms;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * One counter driven by seconds written as text, such as {@code "0.0004"}, so that a case reads as
 * it was reported. Wall timelines count from T0 = 2026-01-01T00:00:00Z, which is aligned to hours
 * and days.
 */
final class Counter {
  static final long SECOND = 1_000_000_000L;
  static final long MINUTE = 60 * SECOND;
  private static final long T0 = 1_767_225_600L * SECOND;

  private final Algorithm algorithm;
  private final CounterState state;

  Counter(Algorithm algorithm, String seconds) {
    this.algorithm = algorithm;
    this.state = algorithm.fresh(at(seconds));
  }

  private Counter(Algorithm algorithm, CounterState state) {
    this.algorithm = algorithm;
    this.state = state;
  }

  /** The nanosecond that a text of seconds from T0 stands for. */
  static long at(String seconds) {
    return T0 + nanos(seconds);
  }

  static long nanos(String seconds) {
    return new BigDecimal(seconds).movePointRight(9).longValueExact();
  }

  Decision check(String seconds) {
    return check(seconds, 1);
  }

  Decision check(String seconds, long cost) {
    return checkAt(at(seconds), cost);
  }

  Decision checkAt(long nowNanos, long cost) {
    return algorithm.charge(state, cost, nowNanos);
  }

  Decision peek(String seconds, long cost) {
    return algorithm.peek(state, cost, at(seconds));
  }

  void refund(String seconds, long amount) {
    algorithm.credit(state, amount, at(seconds));
  }

  void debit(String seconds, long amount) {
    algorithm.debit(state, amount, at(seconds));
  }

  Counter reloaded(Algorithm changed, String seconds) {
    return new Counter(changed, changed.adopt(algorithm, state, at(seconds)));
  }

  /** How many of so many single checks at one instant are admitted. */
  int admitted(String seconds, int offered) {
    return admittedAt(at(seconds), offered);
  }

  int admittedAt(long nowNanos, int offered) {
    int admitted = 0;
    for (int check = 0; check < offered; check++) {
      admitted += checkAt(nowNanos, 1).allowed() ? 1 : 0;
    }
    return admitted;
  }

  /** The instants, in order, at which single checks every so often were admitted. */
  List<Long> admittedInstants(long fromNanos, long toNanos, long everyNanos) {
    List<Long> instants = new ArrayList<>();
    for (long now = fromNanos; now < toNanos; now += everyNanos) {
      if (checkAt(now, 1).allowed()) {
        instants.add(now);
      }
    }
    return instants;
  }

  long freshAtNanos() {
    return algorithm.freshAtNanos(state);
  }

  long payloadBytes() {
    return state.payloadBytes();
  }
}
