package io.ringfence.algorithms;

import static io.ringfence.algorithms.AlgorithmContractTest.copy;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.algorithms.Scenario.Step;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

/**
 * What holds of states that are joined, moved, forgotten and carried over, whichever of the six
 * they belong to.
 */
class StateAlgebraTest {
  @Property
  void aMergeIsIdempotentCommutativeAndAssociative(
      @ForAll(supplier = Scenario.Any.class) Scenario scenario,
      @ForAll int inA,
      @ForAll int inB,
      @ForAll int inC) {
    Algorithm algorithm = scenario.algorithm();
    long now = scenario.endNanos();
    CounterState a = part(scenario, inA);
    CounterState b = part(scenario, inB);
    CounterState c = part(scenario, inC);

    assertArrayEquals(
        algorithm.snapshot(a, now), algorithm.snapshot(merged(algorithm, a, a, now), now));
    assertArrayEquals(
        algorithm.snapshot(merged(algorithm, a, b, now), now),
        algorithm.snapshot(merged(algorithm, b, a, now), now));
    assertArrayEquals(
        algorithm.snapshot(merged(algorithm, merged(algorithm, a, b, now), c, now), now),
        algorithm.snapshot(merged(algorithm, a, merged(algorithm, b, c, now), now), now));
  }

  /**
   * The sliding counter may deny more: it takes the larger count of each window, which need not be
   * of one copy.
   */
  @Property
  void aMergeDeniesWhatEitherDeniesAndNothingElse(
      @ForAll(supplier = Scenario.Any.class) Scenario scenario,
      @ForAll int inA,
      @ForAll int inB,
      @ForAll @LongRange(min = 1, max = Bounds.MAX_UNITS) long anyCost,
      @ForAll @IntRange(max = 1_000) int later) {
    Algorithm algorithm = scenario.algorithm();
    long now = scenario.endNanos();
    CounterState a = part(scenario, inA);
    CounterState b = part(scenario, inB);
    CounterState both = merged(algorithm, a, b, now);
    long cost = Math.max(1, Math.min(anyCost, algorithm.capacity()));
    long at = now + algorithm.windowNanos() / 500 * later;
    boolean eitherDenies =
        !algorithm.peek(copy(algorithm, a, now), cost, at).allowed()
            || !algorithm.peek(copy(algorithm, b, now), cost, at).allowed();
    boolean mergedDenies = !algorithm.peek(both, cost, at).allowed();
    if (algorithm.kind() == Kind.SLIDING_WINDOW_COUNTER) {
      assertTrue(mergedDenies || !eitherDenies);
    } else {
      assertEquals(eitherDenies, mergedDenies);
    }
  }

  @Property
  void aMergeLeavesTheOtherStateAsItWas(
      @ForAll(supplier = Scenario.Any.class) Scenario scenario, @ForAll int inA, @ForAll int inB) {
    Algorithm algorithm = scenario.algorithm();
    long now = scenario.endNanos();
    CounterState other = part(scenario, inB);
    long[] before = algorithm.snapshot(other, now);
    algorithm.merge(part(scenario, inA), other, now);
    assertArrayEquals(before, algorithm.snapshot(other, now));
  }

  @Property
  void aSnapshotRestoresTheSameCounter(
      @ForAll(supplier = Scenario.Any.class) Scenario scenario,
      @ForAll @LongRange(min = -1_000_000, max = 1_000_000) long otherOrigin) {
    Algorithm algorithm = scenario.algorithm();
    long now = scenario.endNanos();
    long shift = algorithm.timeline() == Timeline.ELAPSED ? otherOrigin : 0;
    CounterState here = scenario.state();
    CounterState there = algorithm.restore(algorithm.snapshot(here, now), now + shift);
    assertArrayEquals(algorithm.snapshot(here, now), algorithm.snapshot(there, now + shift));
    for (Step step : scenario.steps()) {
      long at = now + Math.abs(step.nowNanos() - scenario.startNanos());
      Decision expected = algorithm.charge(here, step.cost(), at);
      Decision actual = algorithm.charge(there, step.cost(), at + shift);
      assertEquals(expected.allowed(), actual.allowed());
      assertEquals(expected.remaining(), actual.remaining());
      assertEquals(expected.retryAfterNanos(), actual.retryAfterNanos());
      assertEquals(expected.resetAtNanos() + shift, actual.resetAtNanos());
    }
  }

  @Property(tries = 800)
  void anyWordsAreEitherACounterWithinItsBoundsOrRefused(
      @ForAll(supplier = Scenario.Any.class) Scenario scenario,
      @ForAll @Size(max = 6) List<Long> rubbish) {
    Algorithm algorithm = scenario.algorithm();
    long[] words = rubbish.stream().mapToLong(Long::longValue).toArray();
    try {
      CounterState state = algorithm.restore(words, scenario.startNanos());
      Decision answer = algorithm.peek(state, 1, scenario.endNanos());
      assertTrue(answer.remaining() >= 0 && answer.remaining() <= algorithm.capacity());
      algorithm.debit(state, Bounds.MAX_UNITS, scenario.endNanos());
      assertEquals(0, algorithm.peek(state, 1, scenario.endNanos()).remaining());
    } catch (IllegalArgumentException refused) {
      assertNotNull(refused.getMessage());
    }
  }

  @Property(tries = 800)
  void aDamagedSnapshotIsEitherACounterWithinItsBoundsOrRefused(
      @ForAll(supplier = Scenario.Any.class) Scenario scenario,
      @ForAll int where,
      @ForAll long damage) {
    Algorithm algorithm = scenario.algorithm();
    long now = scenario.endNanos();
    long[] words = algorithm.snapshot(scenario.state(), now);
    if (words.length > 0) {
      words[Math.floorMod(where, words.length)] ^= damage;
    }
    try {
      Decision answer = algorithm.peek(algorithm.restore(words, now), 1, now);
      assertTrue(answer.remaining() >= 0 && answer.remaining() <= algorithm.capacity());
    } catch (IllegalArgumentException refused) {
      assertNotNull(refused.getMessage());
    }
  }

  @Property
  void fromWhenItIsFreshAStateDecidesAsAFreshOne(
      @ForAll(supplier = Scenario.Any.class) Scenario scenario) {
    Algorithm algorithm = scenario.algorithm();
    CounterState state = scenario.state();
    long freshAt = algorithm.freshAtNanos(state);
    assertTrue(algorithm.isFresh(state, Math.max(freshAt, scenario.endNanos())));
    assertEquals(freshAt <= scenario.endNanos(), algorithm.isFresh(state, scenario.endNanos()));
    if (freshAt > scenario.endNanos()) {
      assertFalse(algorithm.isFresh(state, freshAt - 1));
    }
    long from = Math.max(freshAt, scenario.endNanos());
    CounterState fresh = algorithm.fresh(from);
    for (Step step : scenario.steps()) {
      long at = from + Math.abs(step.nowNanos() - scenario.startNanos());
      assertEquals(
          algorithm.charge(fresh, step.cost(), at), algorithm.charge(state, step.cost(), at));
    }
  }

  @Property
  void whatWasChargedBeforeAnInstantIsForgottenWhenSaid(
      @ForAll(supplier = Scenario.Any.class) Scenario scenario) {
    Algorithm algorithm = scenario.algorithm();
    CounterState state = scenario.state();
    long forgotten = algorithm.forgetsAtNanos(scenario.endNanos() + 1);
    assertTrue(algorithm.freshAtNanos(state) <= forgotten);
    assertTrue(algorithm.isFresh(state, forgotten));
  }

  @Property
  void C12_aRaisedLimitKeepsWhatWasUsedAndALoweredOneToo(
      @ForAll(supplier = Scenario.Any.class) Scenario scenario,
      @ForAll @LongRange(min = 1, max = 1_000_000) long limit) {
    Algorithm before = scenario.algorithm();
    if (before.limit() == 0) {
      return;
    }
    Algorithm after =
        Algorithm.of(before.kind(), limit, 60_000_000_000L, before.kind().defaultBurst(limit));
    long now = scenario.endNanos();
    CounterState state = scenario.state();
    long used = before.capacity() - before.peek(state, 1, now).remaining();
    CounterState adopted = after.adopt(before, state, now);
    Decision answer = after.peek(adopted, 1, now);
    if (before.timeline() == Timeline.WALL
        || before.windowNanos() == after.windowNanos()
        || before.kind() != Kind.SLIDING_WINDOW_LOG) {
      assertEquals(Math.max(0, after.capacity() - used), answer.remaining());
    } else {
      assertTrue(
          answer.remaining()
              >= Math.max(0, after.capacity() - used)); // a shorter window holds fewer entries
    }
  }

  @Property
  void adoptingUnderTheSameParametersChangesNothing(
      @ForAll(supplier = Scenario.Any.class) Scenario scenario) {
    Algorithm algorithm = scenario.algorithm();
    long now = scenario.endNanos();
    CounterState state = scenario.state();
    long[] before = algorithm.snapshot(state, now);
    assertArrayEquals(before, algorithm.snapshot(algorithm.adopt(algorithm, state, now), now));
  }

  @Property
  void anotherKindStartsFresh(
      @ForAll(supplier = Scenario.Any.class) Scenario scenario, @ForAll Kind kind) {
    Algorithm before = scenario.algorithm();
    if (kind != before.kind()) {
      Algorithm after = Algorithm.of(kind, 7, 60_000_000_000L, kind.defaultBurst(7));
      CounterState adopted = after.adopt(before, scenario.state(), scenario.endNanos());
      assertTrue(after.isFresh(adopted, scenario.endNanos()));
      assertEquals(after.capacity(), after.peek(adopted, 1, scenario.endNanos()).remaining());
    }
  }

  @Property
  void aStateOfAnotherShapeIsRefused(@ForAll(supplier = Scenario.Any.class) Scenario scenario) {
    Algorithm algorithm = scenario.algorithm();
    List<CounterState> all =
        List.of(
            new ScheduleState(0, 0, 0),
            new WindowState(0, 0),
            new PairState(0, 0, 0),
            new LogState(0));
    long accepted = all.stream().filter(state -> accepts(algorithm, state)).count();
    assertEquals(1, accepted);
  }

  private static boolean accepts(Algorithm algorithm, CounterState state) {
    try {
      algorithm.isFresh(state, 0);
      algorithm.peek(state, 1, 0);
      return true;
    } catch (IllegalArgumentException refused) {
      assertThrows(IllegalArgumentException.class, () -> algorithm.snapshot(state, 0));
      assertThrows(
          IllegalArgumentException.class, () -> algorithm.merge(algorithm.fresh(0), state, 0));
      return false;
    }
  }

  /** What a copy that saw only some of the checks would hold, forced so that copies may differ. */
  private static CounterState part(Scenario scenario, int which) {
    CounterState state = scenario.algorithm().fresh(scenario.startNanos());
    IntStream.range(0, scenario.steps().size())
        .filter(index -> (which >> index & 1) == 1)
        .mapToObj(scenario.steps()::get)
        .forEach(step -> scenario.algorithm().debit(state, step.cost(), step.nowNanos()));
    return state;
  }

  private static CounterState merged(
      Algorithm algorithm, CounterState a, CounterState b, long nowNanos) {
    CounterState into = copy(algorithm, a, nowNanos);
    algorithm.merge(into, b, nowNanos);
    return into;
  }

  @Property
  void sharesAreRoundedDownButNeverToNothing(
      @ForAll(supplier = Scenario.Any.class) Scenario scenario,
      @ForAll @LongRange(min = 1, max = 1_000) long numerator,
      @ForAll @LongRange(min = 1, max = 1_000) long denominator) {
    Algorithm whole = scenario.algorithm();
    long least = Math.min(numerator, denominator);
    long most = LongStream.of(numerator, denominator).max().getAsLong();
    Algorithm share = whole.scaled(least, most);
    assertEquals(whole.kind(), share.kind());
    assertEquals(whole.windowNanos(), share.windowNanos());
    if (whole.limit() == 0) {
      assertEquals(whole, share);
    } else {
      assertEquals(Math.max(1, whole.limit() * least / most), share.limit());
      long refillable = Ratio.floor(Bounds.MAX_SPAN_NANOS - 1, share.limit(), share.windowNanos());
      boolean scheduled = share instanceof VirtualSchedule;
      long capacity = Math.max(1, whole.capacity() * least / most);
      assertEquals(scheduled ? Math.min(capacity, refillable) : capacity, share.capacity());
    }
  }
}
