package io.ringfence.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaders;
import io.ringfence.algorithms.Algorithm;
import io.ringfence.algorithms.Kind;
import io.ringfence.engine.Verdict;
import java.util.EnumSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** The seconds that a caller is told, against counters of the real algorithms. */
class RetryAfterTest {
  private static final long SECOND = 1_000_000_000L;

  private final ManualClock clock = new ManualClock();
  private final Responses responses = new Responses(clock, EnumSet.allOf(Dialect.class));

  private HttpHeaders headers(Verdict verdict) {
    FullHttpResponse response = responses.check(UnpooledByteBufAllocator.DEFAULT, verdict);
    response.release();
    return response.headers();
  }

  @Test
  void C23_waitsAreRoundedUpToWholeSeconds() {
    SingleCounter bucket =
        new SingleCounter(Algorithm.of(Kind.TOKEN_BUCKET, 1, 10 * SECOND, 1), clock);
    assertTrue(bucket.charge(1).allowed());
    clock.set(8.1);
    assertEquals("2", headers(bucket.charge(1)).get("Retry-After"));
    clock.set(9.95);
    assertEquals("1", headers(bucket.charge(1)).get("Retry-After"));
    clock.set(10.95);
    assertTrue(bucket.charge(1).allowed());
  }

  @Test
  void C23_resetIsADeltaInOneFamilyAndAnInstantInTheOther() {
    SingleCounter window =
        new SingleCounter(Algorithm.of(Kind.FIXED_WINDOW, 10, 60 * SECOND, 0), clock);
    clock.set(17.25);
    HttpHeaders headers = headers(window.charge(1));
    assertEquals("43", headers.get("RateLimit-Reset"));
    assertEquals("1767225660", headers.get("X-RateLimit-Reset"));
    assertEquals("9", headers.get("RateLimit-Remaining"));
    assertEquals(1, headers.getAll("RateLimit-Reset").size());
  }

  @Property
  void C23_waitingExactlyTheRetryAfterSucceedsOnAnIdleKey(
      @ForAll Kind kind,
      @ForAll @LongRange(min = 1, max = 50) long limit,
      @ForAll @LongRange(min = 1_000_000, max = 90_000_000_000L) long windowNanos,
      @ForAll @LongRange(min = 0, max = 200_000_000_000L) long startNanos,
      @ForAll @IntRange(min = 1, max = 3) int cost) {
    clock.set(0);
    clock.advanceNanos(startNanos);
    SingleCounter counter =
        new SingleCounter(Algorithm.of(kind, limit, windowNanos, kind.defaultBurst(limit)), clock);
    Verdict verdict = counter.charge(cost);
    for (int asked = 0; verdict.allowed() && asked < 200; asked++) {
      verdict = counter.charge(cost);
    }
    String retryAfter = headers(verdict).get("Retry-After");
    if (retryAfter != null) {
      assertTrue(Long.parseLong(retryAfter) >= 1);
      assertTrue(
          Long.parseLong(headers(verdict).get("RateLimit-Reset")) >= Long.parseLong(retryAfter));
      clock.advanceNanos(Long.parseLong(retryAfter) * SECOND);
      assertTrue(counter.charge(cost).allowed());
    }
  }
}
