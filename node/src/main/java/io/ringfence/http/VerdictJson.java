package io.ringfence.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.ringfence.algorithms.Decision;
import io.ringfence.engine.LimitVerdict;
import io.ringfence.engine.LimitVerdict.Answer;
import io.ringfence.engine.Verdict;
import io.ringfence.rules.Limit;
import io.ringfence.rules.Rule;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The JSON of a verdict. The names of rules and limits are all that it tells of the configuration;
 * no key and no value of an attribute is in it.
 *
 * <p>A denial that is answered as one carries the members of a problem (RFC 9457) before those of
 * the result. The two problem types are of the IANA registry that the draft on RateLimit header
 * fields sets up.
 */
final class VerdictJson {
  /** The caller has used what it may. */
  static final String QUOTA_EXCEEDED =
      "https://iana.org/assignments/http-problem-types#quota-exceeded";

  /** The service, not the caller, has reached what it can do. */
  static final String REDUCED_CAPACITY =
      "https://iana.org/assignments/http-problem-types#temporary-reduced-capacity";

  private VerdictJson() {}

  /** A result; where it is refused, a problem with the result beside it. */
  static void write(JsonGenerator json, Outcome outcome, @Nullable Refusal refusal)
      throws IOException {
    json.writeStartObject();
    if (refusal != null) {
      problem(json, outcome, refusal);
    }
    result(json, outcome);
    json.writeEndObject();
  }

  private static void problem(JsonGenerator json, Outcome outcome, Refusal refusal)
      throws IOException {
    boolean reduced = refusal.status().equals(HttpResponseStatus.SERVICE_UNAVAILABLE);
    json.writeStringField("type", reduced ? REDUCED_CAPACITY : QUOTA_EXCEEDED);
    json.writeStringField("title", reduced ? "Temporarily reduced capacity" : "Quota exceeded");
    json.writeNumberField("status", refusal.status().code());
    if (refusal.detail() != null) {
      json.writeStringField("detail", refusal.detail());
    }
    LimitVerdict deciding = outcome.deciding();
    json.writeStringField("policy", policy(outcome));
    json.writeStringField("window", deciding == null ? null : deciding.limit().window());
    long seconds = refusal.retryAfterSeconds();
    number(json, "retry_after", seconds, seconds == 0);
  }

  private static void result(JsonGenerator json, Outcome outcome) throws IOException {
    Verdict verdict = outcome.verdict();
    LimitVerdict deciding = outcome.deciding();
    Rule rule = outcome.rule();
    json.writeBooleanField("allowed", verdict.allowed());
    if (deciding == null) {
      json.writeNullField("limit");
      json.writeNullField("remaining");
      retryAfter(json, outcome.waitNanos());
      json.writeNullField("reset_at");
    } else {
      numbers(json, deciding.answer(), outcome.waitNanos());
    }
    delay(json, outcome.delayNanos());
    json.writeStringField("rule", rule == null ? null : rule.name());
    json.writeStringField("certainty", verdict.certainty().text());
    json.writeStringField("owner", verdict.owner());
    json.writeArrayFieldStart("limits");
    for (LimitVerdict limit : verdict.limits()) {
      limit(json, limit, verdict.allowed());
    }
    json.writeEndArray();
  }

  private static void limit(JsonGenerator json, LimitVerdict limit, boolean admitted)
      throws IOException {
    Answer answer = limit.answer();
    json.writeStartObject();
    identity(json, limit.rule(), limit.limit());
    json.writeBooleanField("allowed", answer.allowed());
    numbers(json, answer, Outcome.waitNanos(answer));
    if (admitted) {
      delay(json, answer.delayNanos());
    }
    shadow(json, limit.rule());
    json.writeEndObject();
  }

  /** Which limit it is. */
  static void identity(JsonGenerator json, Rule rule, Limit limit) throws IOException {
    json.writeStringField("rule", rule.name());
    if (rule.effect().limits().size() > 1) {
      json.writeStringField("name", limit.name());
    }
  }

  /** Whether it only watches. */
  static void shadow(JsonGenerator json, Rule rule) throws IOException {
    if (rule.effect().presentation().shadow()) {
      json.writeBooleanField("shadow", true);
    }
  }

  /** The numbers of one limit. */
  static void numbers(JsonGenerator json, Answer answer, long waitNanos) throws IOException {
    json.writeNumberField("limit", answer.limit());
    json.writeNumberField("remaining", answer.remaining());
    retryAfter(json, waitNanos);
    long resetAt = answer.resetAtMillis();
    number(json, "reset_at", resetAt, resetAt == Answer.NO_RESET);
  }

  private static void retryAfter(JsonGenerator json, long waitNanos) throws IOException {
    boolean never = waitNanos == Decision.NEVER;
    number(json, "retry_after_ms", never ? 0 : Outcome.toMillisCeil(waitNanos), never);
  }

  private static void delay(JsonGenerator json, long delayNanos) throws IOException {
    if (delayNanos > 0) {
      json.writeNumberField("delay_ms", Outcome.toMillisCeil(delayNanos));
    }
  }

  /** The rule that decided, and which of its limits where it has several. */
  private static @Nullable String policy(Outcome outcome) {
    Rule rule = outcome.rule();
    if (rule == null) {
      return null;
    }
    LimitVerdict deciding = outcome.deciding();
    return deciding != null && rule.effect().limits().size() > 1
        ? rule.name() + "/" + deciding.limit().name()
        : rule.name();
  }

  private static void number(JsonGenerator json, String name, long value, boolean absent)
      throws IOException {
    if (absent) {
      json.writeNullField(name);
    } else {
      json.writeNumberField(name, value);
    }
  }
}
