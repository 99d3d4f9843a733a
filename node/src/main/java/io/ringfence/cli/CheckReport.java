package io.ringfence.cli;

import io.ringfence.cli.CheckAnswer.LimitLine;
import io.ringfence.cli.CheckAnswer.Numbers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a person wants to know of an answer, the verdict first. Instants are UTC, as a node in
 * another zone tells the same one.
 */
final class CheckReport {
  private static final String NONE = "-";

  private final CheckAnswer answer;
  private final boolean peek;

  CheckReport(CheckAnswer answer, boolean peek) {
    this.answer = answer;
    this.peek = peek;
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    Numbers numbers = answer.numbers();
    lines.add(headline());
    if (!answer.allowed()) {
      lines.add("  retry      " + retry(numbers));
    }
    if (numbers.delayMillis() != null) {
      lines.add("  wait       " + span(numbers.delayMillis()) + " before going ahead");
    }
    if (numbers.resetAtMillis() != null) {
      lines.add("  reset at   " + instant(numbers.resetAtMillis()));
    }
    lines.add("  certainty  " + certainty(answer.decider().certainty()));
    if (answer.decider().owner() != null) {
      lines.add("  owner      " + answer.decider().owner());
    }
    if (!answer.limits().isEmpty()) {
      lines.add("");
      lines.addAll(table());
    }
    return lines;
  }

  private String headline() {
    String verdict = answer.allowed() ? "ALLOWED" : "DENIED";
    String policy = answer.decider().policy();
    Numbers numbers = answer.numbers();
    StringBuilder line = new StringBuilder(peek ? "WOULD BE " + verdict : verdict);
    if (policy == null) {
      line.append(": no rule applies");
    } else if (numbers.limit() == null) {
      line.append(" by ").append(policy).append(", which counts nothing");
    } else {
      line.append(" by ").append(policy).append(": ");
      line.append(number(numbers.remaining())).append(" of ").append(numbers.limit());
      line.append(" left");
    }
    return line.append(peek ? " (nothing was charged)" : "").toString();
  }

  private List<String> table() {
    Table table = new Table("limit", "verdict", "left", "of", "retry", "reset at");
    for (LimitLine limit : answer.limits()) {
      Numbers numbers = limit.numbers();
      String verdict = limit.allowed() ? "allowed" : "denied";
      table.row(
          limit.policy(),
          limit.shadow() ? verdict + " (shadow)" : verdict,
          number(numbers.remaining()),
          number(numbers.limit()),
          limit.allowed() ? NONE : retry(numbers),
          numbers.resetAtMillis() == null ? NONE : instant(numbers.resetAtMillis()));
    }
    return table.lines();
  }

  private static String retry(Numbers numbers) {
    Long millis = numbers.retryAfterMillis();
    return millis == null ? "never: no wait would help" : "in " + span(millis);
  }

  private static String span(long millis) {
    return WaitText.ofMillis(Math.max(0, millis));
  }

  private static String number(@Nullable Long number) {
    return number == null ? NONE : Long.toString(number);
  }

  private static String instant(long epochMillis) {
    return Instant.ofEpochMilli(epochMillis).toString();
  }

  private static String certainty(@Nullable String word) {
    return switch (Objects.requireNonNullElse(word, "not told")) {
      case "recovered" -> "recovered: the counter comes from a replica";
      case "assumed" -> "assumed: the counter was lost, and its state is a guess";
      case "degraded" -> "degraded: the owner did not answer, the failure policy did";
      case "closed" -> "closed: the owner cannot be reached, and the rule refuses without it";
      case "exact" -> "exact";
      default -> String.valueOf(word);
    };
  }
}
