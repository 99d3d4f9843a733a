package io.ringfence.chaos.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.algorithms.Kind;
import io.ringfence.chaos.sim.NodeClock.Instants;
import io.ringfence.chaos.sim.ReferenceCounter.Entry;
import io.ringfence.chaos.sim.ReferenceCounter.Reading;
import org.junit.jupiter.api.Test;

/** The yardstick itself, by figures worked out by hand. */
class ReferenceCounterTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;

  private static ReferenceCounter counter(Kind kind, long limit, long windowNanos, long burst) {
    return ReferenceCounter.of(Algorithm.of(kind, limit, windowNanos, burst));
  }

  private static Instants at(long nanos) {
    return new Instants(nanos, nanos);
  }

  @Test
  void aBucketEarnsUnitByUnit() {
    ReferenceCounter bucket = counter(Kind.TOKEN_BUCKET, 10, SECOND, 3);
    bucket.charge(3, at(SECOND));
    assertEquals(new Reading(false, 0, 100 * MILLI, 0), bucket.read(1, at(SECOND)));
    assertEquals(new Reading(true, 1, 0, 0), bucket.read(1, at(SECOND + 100 * MILLI)));
    assertEquals(
        new Reading(false, 1, ReferenceCounter.NEVER, 0),
        bucket.read(4, at(2 * SECOND - 850 * MILLI)));
  }

  @Test
  void aQueueTellsHowLongToWait() {
    ReferenceCounter queue = counter(Kind.LEAKING_BUCKET, 10, SECOND, 2);
    queue.charge(1, at(0));
    queue.charge(1, at(0));
    assertEquals(new Reading(true, 1, 0, 200 * MILLI), queue.read(1, at(0)));
  }

  @Test
  void aFixedWindowEndsAtItsEdge() {
    ReferenceCounter window = counter(Kind.FIXED_WINDOW, 2, SECOND, 0);
    window.charge(2, at(SECOND - MILLI));
    assertEquals(new Reading(false, 0, MILLI, 0), window.read(1, at(SECOND - MILLI)));
    assertTrue(window.fits(2, at(SECOND)));
  }

  @Test
  void aSlidingCounterWeighsTheWindowBefore() {
    ReferenceCounter sliding = counter(Kind.SLIDING_WINDOW_COUNTER, 10, SECOND, 0);
    sliding.charge(10, at(SECOND - MILLI));
    assertEquals(new Reading(false, 5, 100 * MILLI, 0), sliding.read(6, at(SECOND + 500 * MILLI)));
  }

  @Test
  void aLogForgetsAfterExactlyOneWindow() {
    ReferenceCounter log = counter(Kind.SLIDING_WINDOW_LOG, 2, SECOND, 0);
    log.charge(1, at(MILLI));
    log.charge(1, at(2 * MILLI));
    assertFalse(log.fits(1, at(SECOND + MILLI - 1)));
    assertEquals(new Reading(true, 1, 0, 0), log.read(1, at(SECOND + MILLI)));
  }

  @Test
  void B03_anExactCancelLeavesWhatWouldHaveBeenWithoutTheCharge() {
    ReferenceCounter bucket = counter(Kind.TOKEN_BUCKET, 10, SECOND, 10);
    Entry cancelled = bucket.charge(1, at(0));
    bucket.charge(10 - 1, at(50 * MILLI));
    bucket.takeBack(cancelled, at(60 * MILLI));
    // Without it the bucket was full at 50 ms: nine gone, and 10 ms have earned a tenth.
    assertEquals(1, bucket.remaining(at(60 * MILLI)));
    assertFalse(bucket.fits(2, at(60 * MILLI)));
  }

  @Test
  void eachCancelOfABucketMayLeaveItTwoNanosecondsBehind() {
    ReferenceCounter bucket = counter(Kind.TOKEN_BUCKET, 10, SECOND, 10);
    bucket.takeBack(bucket.charge(1, at(SECOND)), at(SECOND));
    assertEquals(new Reading(true, 10, 0, 0), bucket.read(10, at(SECOND)));
    assertEquals(new Reading(false, 9, 2, 0), bucket.readBehind(10, at(SECOND)));
    assertEquals(new Reading(true, 10, 0, 0), bucket.read(10, at(SECOND)));
  }

  @Test
  void anExactCancelTakesTheChargeItselfOffALog() {
    ReferenceCounter log = counter(Kind.SLIDING_WINDOW_LOG, 2, SECOND, 0);
    log.charge(1, at(0));
    Entry cancelled = log.charge(1, at(500 * MILLI));
    log.takeBack(cancelled, at(501 * MILLI));
    assertEquals(2, log.remaining(at(SECOND)));
  }
}
