package io.ringfence.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.ringfence.engine.Certainty;
import io.ringfence.engine.Verdict;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Why a verdict is answered by a problem. Of a check that is a denial. What changes counters
 * without a limit having a say (refund, reset, debit) is refused only where an owner did not
 * answer.
 *
 * <p>Silence is not a no: an owner that did not answer in time may have done what it was asked. The
 * details say so, and how to ask again without doing it twice.
 *
 * @param status 429 or 503
 * @param retryAfterSeconds the value of {@code Retry-After}; 0 where there is none to give
 * @param detail what the members of the problem do not tell, or null
 */
record Refusal(HttpResponseStatus status, long retryAfterSeconds, @Nullable String detail) {
  private static final String SILENT = "the owner of a counter did not answer in time: ";
  private static final String AGAIN = "; asked again under one request_id, it is done once";

  /** Of a check: null where it is allowed. */
  static @Nullable Refusal ofCheck(Outcome outcome) {
    return outcome.verdict().allowed()
        ? null
        : new Refusal(outcome.status(), outcome.retryAfterSeconds(), null);
  }

  /**
   * Of a refund: null but where a rule refuses rather than guesses. A failure policy that counts
   * for itself takes the refund as it takes charges.
   */
  static @Nullable Refusal ofRefund(Outcome outcome) {
    return outcome.verdict().certainty() == Certainty.CLOSED
        ? unavailable("its charge may stand" + AGAIN)
        : null;
  }

  /** Of a reset: null where every owner answered. To repeat it does no harm. */
  static @Nullable Refusal ofReset(Outcome outcome) {
    return answered(outcome.verdict()) ? null : unavailable("it may not be reset; ask again");
  }

  /** Of a debit: null where every owner answered. */
  static @Nullable Refusal ofDebit(Outcome outcome) {
    return answered(outcome.verdict()) ? null : unavailable("it may not be charged" + AGAIN);
  }

  private static boolean answered(Verdict verdict) {
    return verdict.certainty() != Certainty.DEGRADED && verdict.certainty() != Certainty.CLOSED;
  }

  private static Refusal unavailable(String what) {
    return new Refusal(
        HttpResponseStatus.SERVICE_UNAVAILABLE,
        TimeUnit.NANOSECONDS.toSeconds(Outcome.CLOSED_WAIT_NANOS),
        SILENT + what);
  }
}
