package io.ringfence.algorithms;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.algorithms.Scenario.Step;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

/**
 * What a caller may rely on whichever of the six it has: checks, waits, refunds and forced debits.
 */
class AlgorithmContractTest {
  private static final long MOST = Bounds.MAX_UNITS;

  @Property
  void peekTellsWhatAChargeWouldAndChargesNothing(
      @ForAll(supplier = Scenario.Any.class) Scenario scenario,
      @ForAll @LongRange(min = 1, max = MOST) long cost) {
    Algorithm algorithm = scenario.algorithm();
    CounterState state = scenario.state();
    long now = scenario.endNanos();
    long[] before = algorithm.snapshot(state, now);
    Decision peeked = algorithm.peek(state, cost, now);
    assertArrayEquals(before, algorithm.snapshot(state, now));

    Decision charged = algorithm.charge(state, cost, now);
    assertEquals(peeked.allowed(), charged.allowed());
    assertEquals(peeked.retryAfterNanos(), charged.retryAfterNanos());
    assertEquals(peeked.delayNanos(), charged.delayNanos());
    assertEquals(peeked.allowed(), cost <= peeked.remaining());
    assertEquals(peeked.remaining() - (peeked.allowed() ? cost : 0), charged.remaining());
  }

  @Property
  void aDenialChargesNothing(@ForAll(supplier = Scenario.Any.class) Scenario scenario) {
    Algorithm algorithm = scenario.algorithm();
    CounterState state = algorithm.fresh(scenario.startNanos());
    for (Step step : scenario.steps()) {
      long[] before = algorithm.snapshot(state, step.nowNanos());
      if (!algorithm.charge(state, step.cost(), step.nowNanos()).allowed()) {
        assertArrayEquals(before, algorithm.snapshot(state, step.nowNanos()));
      }
    }
  }

  @Property
  void theNumbersOfAnAnswerAgree(@ForAll(supplier = Scenario.Any.class) Scenario scenario) {
    Algorithm algorithm = scenario.algorithm();
    CounterState state = algorithm.fresh(scenario.startNanos());
    long newest = scenario.startNanos();
    for (Step step : scenario.steps()) {
      Decision answer = algorithm.charge(state, step.cost(), step.nowNanos());
      newest = Math.max(newest, step.nowNanos());
      assertEquals(algorithm.capacity(), answer.limit());
      assertTrue(answer.remaining() >= 0 && answer.remaining() <= answer.limit(), answer::toString);
      assertEquals(answer.allowed(), answer.retryAfterNanos() == 0);
      assertEquals(step.cost() > answer.limit(), answer.never());
      assertTrue(answer.resetAtNanos() >= newest, answer::toString);
      assertTrue(answer.delayNanos() == 0 || algorithm.kind() == Kind.LEAKING_BUCKET);
    }
  }

  @Property
  void C23_waitingExactlyTheStatedTimeSucceedsAndOneNanosecondLessDoesNot(
      @ForAll(supplier = Scenario.Any.class) Scenario scenario) {
    Algorithm algorithm = scenario.algorithm();
    CounterState state = algorithm.fresh(scenario.startNanos());
    long newest = scenario.startNanos();
    for (Step step : scenario.steps()) {
      newest = Math.max(newest, step.nowNanos());
      long wait = algorithm.charge(state, step.cost(), step.nowNanos()).retryAfterNanos();
      if (wait > 0 && wait != Decision.NEVER) {
        CounterState early = copy(algorithm, state, newest);
        CounterState punctual = copy(algorithm, state, newest);
        assertFalse(algorithm.charge(early, step.cost(), newest + wait - 1).allowed());
        assertTrue(algorithm.charge(punctual, step.cost(), newest + wait).allowed());
      }
    }
  }

  @Property
  void lateStampsCountAsTheNewestStampSeen(
      @ForAll(supplier = Scenario.Any.class) Scenario scenario) {
    Algorithm algorithm = scenario.algorithm();
    CounterState state = algorithm.fresh(scenario.startNanos());
    CounterState sorted = algorithm.fresh(scenario.startNanos());
    long newest = scenario.startNanos();
    for (Step step : scenario.steps()) {
      newest = Math.max(newest, step.nowNanos());
      assertEquals(
          algorithm.charge(sorted, step.cost(), newest),
          algorithm.charge(state, step.cost(), step.nowNanos()));
    }
  }

  @Property
  void aRefundNeverLeavesMoreThanFull(
      @ForAll(supplier = Scenario.Any.class) Scenario scenario,
      @ForAll @LongRange(min = 1, max = MOST) long amount) {
    Algorithm algorithm = scenario.algorithm();
    CounterState state = scenario.state();
    long now = scenario.endNanos();
    long before = algorithm.peek(state, 1, now).remaining();
    algorithm.credit(state, amount, now);
    long after = algorithm.peek(state, 1, now).remaining();
    assertTrue(after >= before && after <= algorithm.capacity());
    assertTrue(after - before <= amount);
    algorithm.restore(algorithm.snapshot(state, now), now);
  }

  @Property
  void aRefundOfWhatWasJustChargedGivesItAllBack(
      @ForAll(supplier = Scenario.Any.class) Scenario scenario,
      @ForAll @LongRange(min = 1, max = MOST) long cost) {
    Algorithm algorithm = scenario.algorithm();
    CounterState state = scenario.state();
    long now = scenario.endNanos();
    Decision before = algorithm.peek(state, cost, now);
    if (algorithm.charge(state, cost, now).allowed()) {
      algorithm.credit(state, cost, now);
      assertEquals(before.remaining(), algorithm.peek(state, cost, now).remaining());
    }
  }

  @Property
  void undoLeavesTheStateAsIfTheChargeHadNotBeen(
      @ForAll(supplier = Scenario.Any.class) Scenario scenario,
      @ForAll @LongRange(min = 1, max = MOST) long cost) {
    Algorithm algorithm = scenario.algorithm();
    CounterState state = scenario.state();
    long now = scenario.endNanos();
    long fitting = Math.max(1, Math.min(cost, algorithm.peek(state, 1, now).remaining()));
    long[] before = algorithm.snapshot(state, now);
    if (algorithm.charge(state, fitting, now).allowed()) {
      algorithm.undo(state, fitting, now, Long.MAX_VALUE, now);
    }
    assertArrayEquals(before, algorithm.snapshot(state, now));
  }

  /**
   * The same counter with and without one charge, other charges before and after it, whose amounts
   * do not depend on it. A bucket may keep up to a nanosecond's worth of what is taken back.
   */
  @Property
  void undoLaterIsAsIfTheChargeHadNotBeen(
      @ForAll("algorithms") Algorithm algorithm,
      @ForAll @Size(min = 1, max = 12) List<@LongRange(min = 1, max = 900_000_000) Long> gaps,
      @ForAll @LongRange(min = 1, max = 3) long cost,
      @ForAll @IntRange(max = 11) int at) {
    CounterState with = algorithm.fresh(0);
    CounterState without = algorithm.fresh(0);
    long now = 0;
    long chargedAt = -1;
    long least = Long.MAX_VALUE;
    for (int i = 0; i < gaps.size(); i++) {
      now += gaps.get(i);
      if (i == Math.min(at, gaps.size() - 1)) {
        algorithm.debit(with, cost, now);
        chargedAt = now;
        continue;
      }
      if (chargedAt >= 0) {
        least = Math.min(least, algorithm.owed(with, now));
      }
      algorithm.debit(with, 1 + i % 2, now);
      algorithm.debit(without, 1 + i % 2, now);
    }
    algorithm.undo(with, cost, chargedAt, least, now);
    if (algorithm instanceof VirtualSchedule) {
      long more = algorithm.owed(with, now) - algorithm.owed(without, now);
      assertTrue(more == 0 || more == 1, () -> "off by " + more + " ns");
    } else {
      assertArrayEquals(algorithm.snapshot(without, now), algorithm.snapshot(with, now));
    }
  }

  @Provide
  Arbitrary<Algorithm> algorithms() {
    return Combinators.combine(
            Arbitraries.of(Kind.class),
            Arbitraries.longs().between(3, 40),
            Arbitraries.of(1_000_000_000L, 7_000_000_001L))
        .as(
            (kind, limit, window) ->
                Algorithm.of(kind, limit, window, kind.defaultBurst(limit) > 0 ? 5 : 0));
  }

  @Property
  void aForcedDebitAlwaysCountsAndNeverOverflows(
      @ForAll(supplier = Scenario.Any.class) Scenario scenario,
      @ForAll @LongRange(min = 1, max = MOST) long amount) {
    Algorithm algorithm = scenario.algorithm();
    CounterState state = scenario.state();
    long now = scenario.endNanos();
    long before = algorithm.peek(state, 1, now).remaining();
    algorithm.debit(state, amount, now);
    Decision after = algorithm.peek(state, 1, now);
    assertEquals(Math.max(0, before - amount), after.remaining());

    long wait = after.retryAfterNanos();
    for (int again = 0; again < 100; again++) {
      algorithm.debit(state, MOST, now);
      Decision longer = algorithm.peek(state, 1, now);
      assertFalse(longer.allowed());
      assertTrue(longer.retryAfterNanos() >= wait);
      assertTrue(longer.resetAtNanos() >= now);
      wait = longer.retryAfterNanos();
    }
    algorithm.restore(algorithm.snapshot(state, now), now);
  }

  static CounterState copy(Algorithm algorithm, CounterState state, long nowNanos) {
    return algorithm.restore(algorithm.snapshot(state, nowNanos), nowNanos);
  }
}
