package io.ringfence.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import io.ringfence.engine.LimitVerdict;
import io.ringfence.engine.LimitVerdict.Answer;
import java.util.Set;

/**
 * The headers that tell a caller its budget, on what passes and on what is denied alike. They
 * describe the deciding limit, and are left out where there is none.
 *
 * <p>The two families mean different things by reset: {@code RateLimit-Reset} counts seconds from
 * now, {@code X-RateLimit-Reset} is an instant in epoch seconds. Both are rounded up. On a denial
 * the first is never below {@code Retry-After}: a sliding counter may deny beyond the end of its
 * window, and a caller that trusts either header must not come too early.
 */
final class RateHeaders {
  private static final AsciiString LIMIT = AsciiString.cached("RateLimit-Limit");
  private static final AsciiString REMAINING = AsciiString.cached("RateLimit-Remaining");
  private static final AsciiString RESET = AsciiString.cached("RateLimit-Reset");
  private static final AsciiString X_LIMIT = AsciiString.cached("X-RateLimit-Limit");
  private static final AsciiString X_REMAINING = AsciiString.cached("X-RateLimit-Remaining");
  private static final AsciiString X_RESET = AsciiString.cached("X-RateLimit-Reset");
  private static final long MILLIS_A_SECOND = 1_000;
  private static final long NANOS_A_MILLI = 1_000_000;

  private final Set<Dialect> dialects;

  RateHeaders(Set<Dialect> dialects) {
    this.dialects = dialects;
  }

  /** {@code Retry-After}, where any wait helps. */
  static void retryAfter(HttpHeaders headers, Refusal refusal) {
    long seconds = refusal.retryAfterSeconds();
    if (seconds > 0) {
      headers.set(HttpHeaderNames.RETRY_AFTER, Long.toString(seconds));
    }
  }

  /** The budget as the dialects tell it. */
  void budget(HttpHeaders headers, Outcome outcome, long wallNanos) {
    LimitVerdict deciding = outcome.deciding();
    if (deciding == null || dialects.isEmpty()) {
      return;
    }
    Answer answer = deciding.answer();
    String limit = Long.toString(answer.limit());
    String remaining = Long.toString(answer.remaining());
    boolean resets = answer.resetAtMillis() != Answer.NO_RESET;
    if (dialects.contains(Dialect.TRIPLE)) {
      headers.set(LIMIT, limit);
      headers.set(REMAINING, remaining);
      if (resets) {
        long seconds = secondsUntil(answer.resetAtMillis(), wallNanos);
        headers.set(RESET, Long.toString(Math.max(seconds, outcome.retryAfterSeconds())));
      }
    }
    if (dialects.contains(Dialect.X_LEGACY)) {
      headers.set(X_LIMIT, limit);
      headers.set(X_REMAINING, remaining);
      if (resets) {
        long seconds = Outcome.ceilDiv(answer.resetAtMillis(), MILLIS_A_SECOND);
        headers.set(X_RESET, Long.toString(seconds));
      }
    }
  }

  /**
   * Whole seconds from now until then, rounded up, 0 where it has passed. The instant is a whole
   * number of milliseconds, so dropping what the clock has below one changes no result.
   */
  private static long secondsUntil(long thenMillis, long wallNanos) {
    long nowMillis = Math.floorDiv(wallNanos, NANOS_A_MILLI);
    return thenMillis <= nowMillis ? 0 : Outcome.ceilDiv(thenMillis - nowMillis, MILLIS_A_SECOND);
  }
}
