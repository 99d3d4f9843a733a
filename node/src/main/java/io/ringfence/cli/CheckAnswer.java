package io.ringfence.cli;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node's answer to a check or a peek.
 *
 * @param allowed the verdict
 * @param numbers of the limit that decided
 * @param decider who decided, and how sure that is
 * @param limits every limit that was asked, in the order of asking
 */
record CheckAnswer(boolean allowed, Numbers numbers, Decider decider, List<LimitLine> limits) {

  /**
   * The numbers of a limit; each null where there is none to tell.
   *
   * @param limit what can pass at once from full
   * @param remaining what is left
   * @param retryAfterMillis after how long the same check would pass; null where never
   * @param resetAtMillis epoch milliseconds
   * @param delayMillis how long to wait before going ahead
   */
  record Numbers(
      @Nullable Long limit,
      @Nullable Long remaining,
      @Nullable Long retryAfterMillis,
      @Nullable Long resetAtMillis,
      @Nullable Long delayMillis) {

    static Numbers of(JsonObject object) throws UnexpectedJson {
      return new Numbers(
          object.whole("limit"),
          object.whole("remaining"),
          object.whole("retry_after_ms"),
          object.whole("reset_at"),
          object.whole("delay_ms"));
    }
  }

  /**
   * Who decided.
   *
   * @param policy the rule, and the limit's name where a denial tells it; null where no rule
   *     applied
   * @param certainty the word for how sure the answer is
   * @param owner the node that has the counter, null where there is no counter
   */
  record Decider(@Nullable String policy, @Nullable String certainty, @Nullable String owner) {}

  /**
   * One limit of those that were asked.
   *
   * @param policy the rule, and the limit's name where the rule has several
   * @param allowed what this limit says
   * @param shadow whether it only watches
   * @param numbers its numbers
   */
  record LimitLine(String policy, boolean allowed, boolean shadow, Numbers numbers) {

    static LimitLine of(JsonObject object) throws UnexpectedJson {
      String rule = object.word("rule");
      String name = object.text("name");
      return new LimitLine(
          name == null ? rule : rule + "/" + name,
          object.truth("allowed"),
          object.has("shadow") && object.truth("shadow"),
          Numbers.of(object));
    }
  }

  static CheckAnswer of(JsonObject object) throws UnexpectedJson {
    String policy = object.text("policy");
    Decider decider =
        new Decider(
            policy == null ? object.text("rule") : policy,
            object.text("certainty"),
            object.text("owner"));
    List<LimitLine> limits = new ArrayList<>();
    for (JsonObject limit : object.objects("limits")) {
      limits.add(LimitLine.of(limit));
    }
    return new CheckAnswer(object.truth("allowed"), Numbers.of(object), decider, limits);
  }
}
