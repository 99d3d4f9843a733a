package io.ringfence.http;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.algorithms.Decision;
import io.ringfence.algorithms.Kind;
import io.ringfence.engine.Certainty;
import io.ringfence.engine.LimitVerdict;
import io.ringfence.engine.LimitVerdict.Answer;
import io.ringfence.engine.Verdict;
import io.ringfence.rules.Action;
import io.ringfence.rules.FailurePolicy;
import io.ringfence.rules.Limit;
import io.ringfence.rules.Match;
import io.ringfence.rules.Rule;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Rules and verdicts for tests, in few words. */
final class Verdicts {
  private static final long SECOND = 1_000_000_000L;

  private Verdicts() {}

  /** A limit rule, one limit per name; a null name stands for the only limit of a rule. */
  static Rule rule(String name, int index, Rule.Presentation shown, @Nullable String... limits) {
    List<Limit> compiled =
        IntStream.range(0, limits.length)
            .mapToObj(i -> limit(index * 100L + i, limits[i]))
            .toList();
    return rule(name, index, shown, compiled, Action.LIMIT);
  }

  static Rule rule(
      String name, int index, Rule.Presentation shown, List<Limit> limits, Action action) {
    return new Rule(
        name,
        Match.ANY,
        List.of("client"),
        new Rule.Order("client", 1, 0, index),
        new Rule.Effect(action, limits, 1, shown, FailurePolicy.DEFAULT));
  }

  static Rule plain(String name, int index) {
    return rule(name, index, new Rule.Presentation(false, 429), (String) null);
  }

  static Limit limit(long id, @Nullable String name) {
    return new Limit(id, name, Algorithm.of(Kind.FIXED_WINDOW, 100, 60 * SECOND, 0), "60s");
  }

  static LimitVerdict passes(Rule rule, long limit, long remaining, long resetAtMillis) {
    return new LimitVerdict(
        rule,
        rule.effect().limits().get(0),
        new Answer(true, limit, remaining, 0, resetAtMillis, 0, Certainty.EXACT));
  }

  static LimitVerdict denies(Rule rule, long limit, long waitNanos, long resetAtMillis) {
    return new LimitVerdict(
        rule,
        rule.effect().limits().get(0),
        new Answer(false, limit, 0, waitNanos, resetAtMillis, 0, Certainty.EXACT));
  }

  static LimitVerdict closed(Rule rule) {
    return new LimitVerdict(
        rule,
        rule.effect().limits().get(0),
        new Answer(false, 100, 0, Decision.NEVER, Answer.NO_RESET, 0, Certainty.CLOSED));
  }

  static Verdict of(boolean allowed, LimitVerdict... limits) {
    Certainty certainty = Certainty.EXACT;
    for (LimitVerdict limit : limits) {
      certainty = certainty.leastOf(limit.answer().certainty());
    }
    return new Verdict(allowed, certainty, limits.length == 0 ? null : "n2", List.of(limits), null);
  }

  /** A pass of so many limits that its answer has some kilobytes. */
  static Verdict wide() {
    LimitVerdict[] limits = new LimitVerdict[60];
    Arrays.setAll(limits, i -> passes(plain("rule-" + i, i), 100, i, 1_767_225_660_000L));
    return of(true, limits);
  }

  static Verdict shortcut(boolean allowed, Rule rule) {
    return new Verdict(allowed, Certainty.EXACT, null, List.of(), rule);
  }
}
