package io.ringfence.chaos.sim;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.algorithms.Kind;
import io.ringfence.rules.Action;
import io.ringfence.rules.Condition;
import io.ringfence.rules.Durability;
import io.ringfence.rules.FailurePolicy;
import io.ringfence.rules.Limit;
import io.ringfence.rules.Match;
import io.ringfence.rules.OnPartition;
import io.ringfence.rules.OnStateLost;
import io.ringfence.rules.OnUnavailable;
import io.ringfence.rules.Request;
import io.ringfence.rules.Rule;
import io.ringfence.rules.RuleSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A handful of rules with tight limits, and requests that meet some of them.
 *
 * <p>Each rule applies to requests that carry an attribute of the rule's own name, so a request can
 * be made to meet any subset of the rules, and a probe exactly one.
 */
final class GeneratedRules {
  private static final long MILLI = 1_000_000;
  private static final long[] WINDOWS = {
    20 * MILLI, 50 * MILLI, 200 * MILLI, 1_000 * MILLI, 3_000 * MILLI
  };
  private static final List<List<String>> COUNTED_BY =
      List.of(
          List.of("client"),
          List.of("client"),
          List.of("ip"),
          List.of("user"),
          List.of("client", "user"),
          List.of());
  private static final List<Kind> KINDS = List.of(Kind.values());
  private static final String SELECTED = "on";
  private static final int FEW = 12;
  private static final int MANY = 80;

  private static final int UNCOPIED = 8; // one rule in so many has no copies

  /** Without strict, which asks for sync: what is decided then shows once it is copied. */
  private static final List<OnPartition> PARTITION =
      List.of(
          OnPartition.SHARE,
          OnPartition.CLOSED,
          OnPartition.SHARE,
          OnPartition.OPEN,
          OnPartition.CLOSED);

  private final SplittableRandom random;
  private final long seed;
  private final List<Rule> rules = new ArrayList<>();

  GeneratedRules(SplittableRandom random, long seed) {
    this.random = random;
    this.seed = seed;
    int count = 1 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      rules.add(rule(i));
    }
  }

  RuleSet set() {
    return new RuleSet("simulated", rules);
  }

  private boolean chance(double share) {
    return random.nextDouble() < share;
  }

  private Rule rule(int index) {
    String name = "r" + (index + 1);
    List<String> by = COUNTED_BY.get(random.nextInt(COUNTED_BY.size()));
    List<Limit> limits = new ArrayList<>();
    int count = chance(0.25) ? 2 : 1;
    for (int i = 0; i < count; i++) {
      limits.add(Limit.of(name, by, count == 1 ? null : "l" + (i + 1), algorithm(), "simulated"));
    }
    // A probe asks for the whole capacity in checks of this cost.
    boolean even = limits.stream().allMatch(limit -> limit.algorithm().capacity() % 2 == 0);
    long cost = even && chance(0.3) ? 2 : 1;
    return new Rule(
        name,
        Match.of(Map.of(name, Condition.oneOf(List.of(SELECTED)))),
        by,
        new Rule.Order(name, chance(0.25) ? 2 : 1, 0, index),
        new Rule.Effect(
            Action.LIMIT, limits, cost, new Rule.Presentation(chance(0.12), 429), policy()));
  }

  private Algorithm algorithm() {
    Kind kind = KINDS.get(random.nextInt(KINDS.size()));
    int most = chance(0.1) ? MANY : FEW; // many, so that many checks can be under way at once
    long limit = chance(0.03) ? 0 : 1 + random.nextInt(most);
    long window = WINDOWS[random.nextInt(WINDOWS.length)];
    long burst =
        switch (kind) {
          case TOKEN_BUCKET, GCRA -> limit == 0 ? 0 : 1 + random.nextInt(most);
          case LEAKING_BUCKET -> limit == 0 ? 0 : random.nextInt(8);
          case FIXED_WINDOW, SLIDING_WINDOW_LOG, SLIDING_WINDOW_COUNTER -> 0;
        };
    return Algorithm.of(kind, limit, window, burst);
  }

  private FailurePolicy policy() {
    OnPartition onPartition =
        PARTITION.get((int) Math.floorMod(seed / 3 + rules.size(), (long) PARTITION.size()));
    boolean copied = Math.floorMod(seed / 4 + rules.size(), UNCOPIED) != 0;
    int pick = random.nextInt(10);
    OnUnavailable onUnavailable =
        pick < 2 ? OnUnavailable.OPEN : pick < 4 ? OnUnavailable.CLOSED : OnUnavailable.LOCAL;
    boolean all = onUnavailable == OnUnavailable.LOCAL && !chance(0.5);
    return new FailurePolicy(
        onUnavailable,
        all ? FailurePolicy.ONE_MILLION : 200_000,
        null,
        onPartition,
        copied ? Durability.ASYNC : Durability.NONE,
        OnStateLost.FRESH);
  }

  /** A request that meets at least one of the rules. */
  Request request() {
    Map<String, String> attributes = new HashMap<>();
    attributes.put("ip", "10.0.0." + random.nextInt(2));
    attributes.put("user", "u" + random.nextInt(2));
    int least = random.nextInt(rules.size());
    for (int i = 0; i < rules.size(); i++) {
      if (i == least || chance(0.6)) {
        attributes.put(rules.get(i).name(), SELECTED);
      }
    }
    return new Request("c" + random.nextInt(3), null, null, null, attributes);
  }

  /** The cost of a check: mostly 1, sometimes more than fits. */
  long cost() {
    double pick = random.nextDouble();
    return pick < 0.78 ? 1 : pick < 0.9 ? 2 : pick < 0.97 ? 3 : 4 + random.nextInt(12);
  }

  /** The same request, but one that meets that rule alone. */
  static Request meetingOnly(Rule rule, Request request, List<Rule> all) {
    Map<String, String> attributes = new HashMap<>(request.attributes());
    all.forEach(each -> attributes.remove(each.name()));
    attributes.put(rule.name(), SELECTED);
    return new Request(request.client(), null, null, null, attributes);
  }
}
