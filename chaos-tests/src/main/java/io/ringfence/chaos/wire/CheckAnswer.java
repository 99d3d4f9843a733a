package io.ringfence.chaos.wire;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a check that some rule applied to: status 200, 429 or 503 and the members that
 * explain it. A member that is missing or of another type is a defect of the node and throws {@link
 * IllegalStateException} with the whole answer.
 */
public final class CheckAnswer {
  private final int status;
  private final @Nullable String retryAfter;
  private final JsonNode body;

  private CheckAnswer(int status, @Nullable String retryAfter, JsonNode body) {
    this.status = status;
    this.retryAfter = retryAfter;
    this.body = body;
  }

  /**
   * Reads an answer.
   *
   * @throws IllegalStateException for any status but 200, 429 and 503, and where status and {@code
   *     allowed} contradict each other
   */
  public static CheckAnswer of(Answer answer) {
    int status = answer.status();
    if (status != 200 && status != 429 && status != 503) {
      throw new IllegalStateException("status " + status + " for a check: " + answer.body());
    }
    CheckAnswer check = new CheckAnswer(status, answer.header("retry-after"), answer.json());
    if (check.allowed() != (status == 200)) {
      throw new IllegalStateException("status " + status + " with " + answer.body());
    }
    return check;
  }

  /**
   * Reads the answer to a peek, which is 200 whether the check would pass or not.
   *
   * @throws IllegalStateException for any other status
   */
  public static CheckAnswer ofPeek(Answer answer) {
    if (answer.status() != 200) {
      throw new IllegalStateException(
          "status " + answer.status() + " for a peek: " + answer.body());
    }
    return new CheckAnswer(200, answer.header("retry-after"), answer.json());
  }

  /** 200, 429 or 503. */
  public int status() {
    return status;
  }

  /** Whether the check passed and was charged. */
  public boolean allowed() {
    return member("allowed").booleanValue();
  }

  /** What is left of the limit that decided. */
  public long remaining() {
    return number(member("remaining"));
  }

  /** The wait until the same check would pass; 0 when it passed, empty where no wait helps. */
  public OptionalLong retryAfterMillis() {
    return numberOrNull(member("retry_after_ms"));
  }

  /** The header Retry-After, in seconds. */
  public OptionalLong retryAfterSeconds() {
    return retryAfter == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(retryAfter));
  }

  /** Milliseconds since the epoch, or empty where the node says null. */
  public OptionalLong resetAtMillis() {
    return numberOrNull(member("reset_at"));
  }

  /** The least sure of the limits asked. */
  public Certainty certainty() {
    return Certainty.of(member("certainty").textValue());
  }

  /** The node that decided, or null where none did. */
  public @Nullable String owner() {
    return member("owner").textValue();
  }

  /** The name of the rule that decided. */
  public String rule() {
    return member("rule").textValue();
  }

  /**
   * What is left of one of several limits of a rule.
   *
   * @param name the limit's name
   */
  public long remainingOf(String name) {
    return remainingWhere("name", name);
  }

  /**
   * What is left of the limit of one of several rules.
   *
   * @param rule the name of a rule with one limit
   */
  public long remainingOfRule(String rule) {
    return remainingWhere("rule", rule);
  }

  private long remainingWhere(String member, String text) {
    for (JsonNode limit : member("limits")) {
      if (limit.path(member).asText().equals(text)) {
        return number(limit.path("remaining"));
      }
    }
    throw new IllegalStateException("no limit whose " + member + " is " + text + " in " + body);
  }

  private JsonNode member(String name) {
    JsonNode value = body.get(name);
    if (value == null) {
      throw new IllegalStateException("no member " + name + " in " + body);
    }
    return value;
  }

  private OptionalLong numberOrNull(JsonNode value) {
    return value.isNull() ? OptionalLong.empty() : OptionalLong.of(number(value));
  }

  private long number(JsonNode value) {
    if (!value.isIntegralNumber()) {
      throw new IllegalStateException("not a whole number: " + value + " in " + body);
    }
    return value.longValue();
  }

  @Override
  public String toString() {
    return status + " " + body;
  }
}
