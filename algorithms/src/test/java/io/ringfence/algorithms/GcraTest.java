package io.ringfence.algorithms;

import static io.ringfence.algorithms.Counter.MINUTE;
import static io.ringfence.algorithms.Counter.SECOND;
import static io.ringfence.algorithms.Counter.at;
import static io.ringfence.algorithms.Counter.nanos;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.algorithms.Scenario.Step;
import java.util.List;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class GcraTest {
  @Test
  void C02_pacingAbove1000PerSecond() {
    Counter counter = new Counter(new Gcra(2_500, SECOND, 1), "0");
    assertTrue(counter.check("0").allowed());
    Decision early = counter.check("0.0003");
    assertFalse(early.allowed());
    assertEquals(nanos("0.0001"), early.retryAfterNanos());
    assertTrue(counter.check("0.0004").allowed());
    assertFalse(counter.check("0.0007").allowed());
    assertTrue(counter.check("0.0008").allowed());
  }

  @Test
  void C02_offeredEveryTenthOfAMillisecond() {
    assertEquals(2_500, admittedInASecond(new Gcra(2_500, SECOND, 1)));
    assertEquals(1_250, admittedInASecond(new Gcra(1_250, SECOND, 1)));
  }

  private static int admittedInASecond(Algorithm algorithm) {
    return new Counter(algorithm, "0").admittedInstants(at("0"), at("1"), nanos("0.0001")).size();
  }

  @Test
  void C03_steadyHitsDoNotStopTheLeak() {
    Counter counter = new Counter(new Gcra(10, 30 * SECOND, 10), "0");
    List<Long> remaining =
        LongStream.rangeClosed(0, 10)
            .mapToObj(second -> counter.checkAt(at("0") + second * SECOND, 1).remaining())
            .toList();
    assertEquals(List.of(9L, 8L, 7L, 7L, 6L, 5L, 5L, 4L, 3L, 3L, 2L), remaining);
  }

  @Test
  void C03_theBucketDoesNotRefillAtOnce() {
    Counter counter = new Counter(new Gcra(3, SECOND, 3), "0");
    List<Long> admitted = counter.admittedInstants(at("0"), at("1.981"), nanos("0.110"));
    List<Long> expected =
        LongStream.of(0, 110, 220, 440, 770, 1100, 1430, 1760)
            .mapToObj(millis -> at("0") + millis * 1_000_000)
            .toList();
    assertEquals(expected, admitted);
  }

  @Test
  void C03_theWaitAt550Milliseconds() {
    Counter counter = new Counter(new Gcra(3, SECOND, 3), "0");
    counter.admittedInstants(at("0"), at("0.5"), nanos("0.110"));
    assertEquals(116_666_667, counter.check("0.550").retryAfterNanos());
  }

  @Test
  void S1_withABurstOfOneAdmittedRequestsAreNeverCloserThanTheInterval() {
    Counter counter = new Counter(new Gcra(100, MINUTE, 1), "0");
    List<Long> instants = counter.admittedInstants(at("0"), at("60"), nanos("0.01"));
    assertEquals(100, instants.size());
    for (int later = 1; later < instants.size(); later++) {
      assertTrue(instants.get(later) - instants.get(later - 1) >= 600_000_000);
    }
  }

  @Property
  void aTokenBucketAndALeakingBucketOfTheSameCapacityDecideAlike(
      @ForAll(supplier = Scenario.Any.class) Scenario scenario,
      @ForAll @LongRange(min = 1, max = 1_000) long burst) {
    long limit = Math.max(1_000, scenario.algorithm().limit());
    long window = scenario.algorithm().windowNanos();
    Gcra gcra = new Gcra(limit, window, burst);
    TokenBucket bucket = new TokenBucket(limit, window, burst);
    LeakingBucket leaking = new LeakingBucket(limit, window, burst - 1);
    CounterState one = gcra.fresh(scenario.startNanos());
    CounterState two = bucket.fresh(scenario.startNanos());
    CounterState three = leaking.fresh(scenario.startNanos());
    for (Step step : scenario.steps()) {
      Decision answer = gcra.charge(one, step.cost(), step.nowNanos());
      assertEquals(answer, bucket.charge(two, step.cost(), step.nowNanos()));
      assertEquals(answer, withoutDelay(leaking.charge(three, step.cost(), step.nowNanos())));
    }
  }

  private static Decision withoutDelay(Decision answer) {
    return new Decision(
        answer.allowed(),
        answer.limit(),
        answer.remaining(),
        answer.retryAfterNanos(),
        answer.resetAtNanos(),
        0);
  }
}
