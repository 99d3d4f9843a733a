package io.ringfence.algorithms;

import static io.ringfence.algorithms.Counter.MINUTE;
import static io.ringfence.algorithms.Counter.SECOND;
import static io.ringfence.algorithms.Counter.at;
import static io.ringfence.algorithms.Counter.nanos;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class LeakingBucketTest {
  @Test
  void S1_aFullQueueOf100TakesAMinuteToDrain() {
    Counter counter = new Counter(new LeakingBucket(100, MINUTE, 100), "0");
    for (int request = 0; request < 100; request++) {
      assertEquals(request * nanos("0.6"), counter.check("0").delayNanos());
    }
    Decision last = counter.check("0");
    assertTrue(last.allowed());
    assertEquals(60 * SECOND, last.delayNanos());
    Decision overflow = counter.check("0");
    assertFalse(overflow.allowed());
    assertEquals(0, overflow.delayNanos());
    assertEquals(nanos("0.6"), overflow.retryAfterNanos());
  }

  @Test
  void S1_aQueueOfTenAddsSixSeconds() {
    Counter counter = new Counter(new LeakingBucket(100, MINUTE, 10), "0");
    assertEquals(11, counter.admitted("0", 50));
    assertEquals(6 * SECOND, counter.peek("0.6", 1).delayNanos());
  }

  @Test
  void withoutAQueueNothingIsDelayed() {
    Counter counter = new Counter(new LeakingBucket(10, SECOND, 0), "0");
    assertEquals(0, counter.check("0").delayNanos());
    assertEquals(nanos("0.1"), counter.check("0").retryAfterNanos());
    assertEquals(0, counter.check("0.1").delayNanos());
  }

  @Test
  void aCostTakesThatManyPlacesForTheNextOne() {
    Counter counter = new Counter(new LeakingBucket(10, SECOND, 4), "0");
    assertEquals(0, counter.check("0", 3).delayNanos());
    assertEquals(nanos("0.3"), counter.check("0", 2).delayNanos());
    assertTrue(counter.check("0", 6).never());
  }

  /**
   * However requests come in, what goes ahead after the stated delay is spaced by the interval,
   * within the rounding.
   */
  @Property
  void whatComesOutIsSmooth(
      @ForAll @Size(min = 2, max = 60) List<@IntRange(max = 900_000) Integer> gaps) {
    LeakingBucket algorithm = new LeakingBucket(7_001, SECOND, 12);
    CounterState state = algorithm.fresh(0);
    List<Long> departures = new ArrayList<>();
    long now = 0;
    for (int gap : gaps) {
      now += gap;
      Decision answer = algorithm.charge(state, 1, now);
      if (answer.allowed()) {
        departures.add(now + answer.delayNanos());
      }
    }
    List<Long> sorted = new ArrayList<>(departures);
    Collections.sort(sorted);
    assertEquals(sorted, departures);
    for (int later = 1; later < departures.size(); later++) {
      assertTrue(departures.get(later) - departures.get(later - 1) >= SECOND / 7_001);
    }
  }

  @Test
  void S1_whatItAdmitsIsRateTimesTimePlusTheQueue() {
    Counter counter = new Counter(new LeakingBucket(100, MINUTE, 100), "0");
    assertTrue(counter.check("0").allowed()); // the one that need not wait
    int queued = counter.admitted("0", 150);
    int later = counter.admittedInstants(at("0"), at("60") + 1, nanos("0.1")).size();
    assertEquals(200, queued + later);
  }
}
