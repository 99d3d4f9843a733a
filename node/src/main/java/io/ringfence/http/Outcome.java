package io.ringfence.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.ringfence.algorithms.Decision;
import io.ringfence.engine.Certainty;
import io.ringfence.engine.LimitVerdict;
import io.ringfence.engine.LimitVerdict.Answer;
import io.ringfence.engine.Verdict;
import io.ringfence.rules.Rule;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A verdict in the terms of HTTP: which limit describes it, which status it has, how long to wait.
 *
 * <p>Waits are rounded up, in each unit from the nanoseconds: one that was rounded down would make
 * a polite caller's first retry fail. A limit that refused because nobody could be asked (certainty
 * closed) tells {@link #CLOSED_WAIT_NANOS}, as no counter knows better.
 */
final class Outcome {
  /** How long a caller is asked to wait where a limit refuses rather than guesses. */
  static final long CLOSED_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Verdict verdict;
  private final @Nullable LimitVerdict deciding;

  Outcome(Verdict verdict) {
    this.verdict = verdict;
    this.deciding = verdict.shortcut() == null ? verdict.deciding() : null;
  }

  Verdict verdict() {
    return verdict;
  }

  /** The limit that the verdict is described by, or null where none is. */
  @Nullable LimitVerdict deciding() {
    return deciding;
  }

  /** The rule that decided, or null where none applied. */
  @Nullable Rule rule() {
    return deciding == null ? verdict.shortcut() : deciding.rule();
  }

  /** 200; for a denial the rule's status, or 503 where the limiter refuses rather than guesses. */
  HttpResponseStatus status() {
    if (verdict.allowed()) {
      return HttpResponseStatus.OK;
    }
    if (deciding != null && deciding.answer().certainty() == Certainty.CLOSED) {
      return HttpResponseStatus.SERVICE_UNAVAILABLE;
    }
    Rule rule = rule();
    boolean ceiling =
        rule != null
            && rule.effect().presentation().status()
                == HttpResponseStatus.SERVICE_UNAVAILABLE.code();
    return ceiling ? HttpResponseStatus.SERVICE_UNAVAILABLE : HttpResponseStatus.TOO_MANY_REQUESTS;
  }

  /** 0 where allowed, {@link Decision#NEVER} where no wait helps. */
  long waitNanos() {
    if (verdict.allowed()) {
      return 0;
    }
    return deciding == null ? Decision.NEVER : waitNanos(deciding.answer());
  }

  /** The wait that one limit tells. */
  static long waitNanos(Answer answer) {
    boolean closed = !answer.allowed() && answer.certainty() == Certainty.CLOSED;
    return closed ? CLOSED_WAIT_NANOS : answer.retryAfterNanos();
  }

  /** How long a caller that may go ahead must wait first: the longest of all enforced limits. */
  long delayNanos() {
    long longest = 0;
    if (verdict.allowed()) {
      for (LimitVerdict limit : verdict.limits()) {
        if (!limit.rule().effect().presentation().shadow()) {
          longest = Math.max(longest, limit.answer().delayNanos());
        }
      }
    }
    return longest;
  }

  /** {@code Retry-After} of a denial: whole seconds, 1 or more; 0 where there is none to give. */
  long retryAfterSeconds() {
    long wait = waitNanos();
    if (verdict.allowed() || wait == Decision.NEVER) {
      return 0;
    }
    return Math.max(1, ceilDiv(wait, TimeUnit.SECONDS.toNanos(1)));
  }

  static long toMillisCeil(long nanos) {
    return ceilDiv(nanos, TimeUnit.MILLISECONDS.toNanos(1));
  }

  /** Rounds towards positive infinity; the divisor is positive. */
  static long ceilDiv(long dividend, long divisor) {
    long floor = Math.floorDiv(dividend, divisor);
    return floor * divisor == dividend ? floor : floor + 1;
  }
}
