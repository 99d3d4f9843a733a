package io.ringfence.algorithms;

import static io.ringfence.algorithms.Counter.MINUTE;
import static io.ringfence.algorithms.Counter.SECOND;
import static io.ringfence.algorithms.Counter.at;
import static io.ringfence.algorithms.Counter.nanos;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TokenBucketTest {
  @Test
  void S1_fromFullItAdmitsCapacityPlusRateTimesTime() {
    Counter bucket = new Counter(new TokenBucket(100, MINUTE, 100), "0");
    assertEquals(100, bucket.admitted("0", 150));
    int trickle = bucket.admittedInstants(at("0"), at("60") + 1, nanos("0.1")).size();
    assertEquals(200, 100 + trickle);
  }

  @Test
  void S1_capacityIsASettingOfItsOwn() {
    Counter bucket = new Counter(new TokenBucket(100, MINUTE, 20), "0");
    assertEquals(20, bucket.admitted("0", 100));
    assertEquals(100, bucket.admittedInstants(at("0"), at("60") + 1, nanos("0.1")).size());
  }

  @Test
  void S1_aDrainedBucketIsForgottenAfterCapacityOverRate() {
    Counter bucket = new Counter(new TokenBucket(100, MINUTE, 100), "0");
    assertTrue(bucket.check("0", 100).allowed());
    assertEquals(at("60"), bucket.freshAtNanos());
    assertEquals(at("60"), bucket.peek("0", 1).resetAtNanos());
  }

  /** Burst 20, 5 a second, 3.5 tokens at 100.0; a cost of 4 at 100.3, another at 100.5. */
  @Test
  void S3_oneRequestWorkedByHand() {
    TokenBucket algorithm = new TokenBucket(5, SECOND, 20);
    Counter bucket = new Counter(algorithm, "0");
    bucket.debit("99.9", 17); // 3 left at 99.9, so 3.5 at 100.0
    assertEquals(3, bucket.peek("100.0", 1).remaining());
    assertEquals(
        nanos("0.1"), bucket.peek("100.0", 4).retryAfterNanos()); // half a token at 5 a second

    Decision first = bucket.check("100.3", 4);
    assertTrue(first.allowed());
    assertEquals(1, first.remaining());
    assertEquals(at("104.1"), first.resetAtNanos()); // exactly 1 token: 19 more at 5 a second

    Decision second = bucket.check("100.5", 4);
    assertFalse(second.allowed());
    assertEquals(2, second.remaining());
    assertEquals(nanos("0.4"), second.retryAfterNanos());
    assertTrue(bucket.check("100.9", 4).allowed());
  }

  /** Ten at once, then one a second. */
  @Test
  void S5_aBurstThenTheSteadyRate() {
    Counter bucket = new Counter(new TokenBucket(1, SECOND, 10), "0");
    assertEquals(10, bucket.admitted("0", 20));
    List<Long> later = bucket.admittedInstants(at("0.1"), at("5.05"), nanos("0.1"));
    assertEquals(List.of(at("1"), at("2"), at("3"), at("4"), at("5")), later);
  }

  /** A steady 100 a second with room for 150. */
  @Test
  void S4_savedUpAllowanceAbsorbsABurst() {
    Counter bucket = new Counter(new TokenBucket(100, SECOND, 150), "0");
    assertEquals(150, bucket.admitted("0", 200));
    assertEquals(0, bucket.admitted("0.009999999", 1));
    assertEquals(40, bucket.admitted("0.4", 60));
  }

  @Test
  void C06_clockStepsBack() {
    Counter bucket = new Counter(new TokenBucket(10, 10 * SECOND, 10), "100");
    assertEquals(6, bucket.check("100", 4).remaining());
    List<Long> remaining = Stream.generate(() -> bucket.check("40").remaining()).limit(6).toList();
    assertEquals(List.of(5L, 4L, 3L, 2L, 1L, 0L), remaining);
    Decision seventh = bucket.check("40");
    assertFalse(seventh.allowed());
    assertEquals(SECOND, seventh.retryAfterNanos());
    assertTrue(bucket.check("101").allowed());
  }

  @Test
  void C10_lateArrivingStampsAreNotCreditedTwice() {
    Counter bucket = new Counter(new TokenBucket(1, SECOND, 1), "0");
    List<Boolean> allowed =
        Stream.of("0", "1.0", "0.2", "1.3", "0.3", "1.4")
            .map(stamp -> bucket.check(stamp).allowed())
            .toList();
    assertEquals(List.of(true, true, false, false, false, false), allowed);
  }

  @Test
  void C05_aLimitOfZeroWithABurstIsRefused() {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> new TokenBucket(0, SECOND, 1));
    assertEquals(
        "capacity 1 of token-bucket is outside 0..0, because a limit of 0 denies always",
        refused.getMessage());
  }

  @Test
  void C23_waitsOfABucket() {
    Counter bucket = new Counter(new TokenBucket(1, 10 * SECOND, 1), "0");
    assertTrue(bucket.check("0").allowed());
    assertEquals(nanos("1.9"), bucket.check("8.1").retryAfterNanos());
    assertEquals(nanos("0.05"), bucket.check("9.95").retryAfterNanos());
    assertTrue(bucket.check("10.95").allowed());
  }

  @Test
  void C34_aRefundIsCappedAtFull() {
    Counter bucket = new Counter(new TokenBucket(10, 10 * SECOND, 10), "0");
    bucket.check("0", 10);
    bucket.refund("0", 1);
    assertEquals(1, bucket.peek("0", 1).remaining());
    bucket.refund("0", 50);
    assertEquals(10, bucket.peek("0", 1).remaining());
    assertEquals(0, bucket.check("0", 10).remaining());
  }

  @Test
  void C12_changedParametersKeepTheTokensUsed() {
    Counter small = new Counter(new TokenBucket(5, 5 * SECOND, 5), "0");
    assertEquals(1, small.check("0", 4).remaining());
    Counter large = small.reloaded(new TokenBucket(10, 5 * SECOND, 10), "0");
    assertEquals(6, large.peek("0", 1).remaining());
    Counter smaller = large.reloaded(new TokenBucket(1, SECOND, 2), "0");
    Decision inDebt = smaller.peek("0", 1);
    assertEquals(0, inDebt.remaining());
    assertEquals(3 * SECOND, inDebt.retryAfterNanos()); // 4 used of 2
  }

  /** Three tokens a nanosecond: 100,000 nanoseconds on, each still brings exactly three. */
  @Test
  void fractionsOfANanosecondDoNotDrift() {
    TokenBucket algorithm = new TokenBucket(3_000_000_000L, SECOND, 3);
    Counter bucket = new Counter(algorithm, "0");
    for (int nanos = 0; nanos < 100_000; nanos++) {
      assertEquals(3, bucket.admittedAt(at("0") + nanos, 5));
    }
  }

  @Test
  void whatTakesLongerThanItsClockToRefillIsRefused() {
    String refusal =
        assertThrows(
                IllegalArgumentException.class,
                () -> new TokenBucket(1, Bounds.MAX_WINDOW_NANOS, Bounds.MAX_UNITS))
            .toString();
    assertTrue(refusal.contains("longer than 146 years"), refusal);
    assertTrue(refusal.contains("at most 133 can pass at once"), refusal);
    Counter longest = new Counter(new TokenBucket(1, Bounds.MAX_WINDOW_NANOS, 133), "0");
    assertEquals(133, longest.admitted("0", 200));
  }

  @Test
  void theLargestParametersAreExact() {
    TokenBucket algorithm =
        new TokenBucket(Bounds.MAX_UNITS, Bounds.MAX_WINDOW_NANOS, Bounds.MAX_UNITS);
    Counter bucket = new Counter(algorithm, "0");
    assertEquals(0, bucket.check("0", Bounds.MAX_UNITS).remaining());
    assertEquals(34_560, bucket.check("0").retryAfterNanos()); // 400 days / 10^12
    Decision early = bucket.check("0.000034559", Bounds.MAX_UNITS);
    assertEquals(Bounds.MAX_WINDOW_NANOS - 34_559, early.retryAfterNanos());
    assertEquals(0, early.remaining());
    assertEquals(1, bucket.peek("0.000034560", 1).remaining());
  }
}
