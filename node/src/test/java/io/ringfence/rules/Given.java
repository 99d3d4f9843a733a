package io.ringfence.rules;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.algorithms.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rules and requests in few words. */
final class Given {
  private static final long MINUTE_NANOS = 60_000_000_000L;

  private String name = "r";
  private final Map<String, Condition> match = new LinkedHashMap<>();
  private List<String> by = List.of("client");
  private @Nullable String group;
  private int stage = 1;
  private int priority;
  private boolean shadow;
  private long cost = 1;
  private Action action = Action.LIMIT;
  private final Map<String, Long> limits = new LinkedHashMap<>();

  static Given rule(String name) {
    Given given = new Given();
    given.name = name;
    return given;
  }

  static Request request(String client, String... attributes) {
    Map<String, String> all = new LinkedHashMap<>();
    for (int i = 0; i < attributes.length; i += 2) {
      all.put(attributes[i], attributes[i + 1]);
    }
    String route = all.remove("route");
    String tier = all.remove("tier");
    int space = route == null ? -1 : route.indexOf(' ');
    String method = route == null || space < 0 ? null : route.substring(0, space);
    String path = route == null ? null : route.substring(space + 1);
    return new Request(client, method, path, tier, all);
  }

  static RuleSet set(Given... rules) {
    List<Rule> built = new ArrayList<>();
    for (int i = 0; i < rules.length; i++) {
      built.add(rules[i].build(i));
    }
    return new RuleSet("test", built);
  }

  /** The names of the rules whose counters the request must pass, in order; or the shortcut's. */
  static List<String> asked(RuleSet set, Request request) {
    RuleSet.Applicable applicable = set.applicable(request, 1);
    Rule shortcut = applicable.shortcut();
    return shortcut != null
        ? List.of(shortcut.effect().action() + " " + shortcut.name())
        : applicable.asks().stream().map(ask -> ask.rule().name()).toList();
  }

  Given route(String... patterns) {
    match.put("route", Condition.routes(Arrays.stream(patterns).map(RoutePattern::parse).toList()));
    return this;
  }

  Given when(String attribute, String... values) {
    match.put(attribute, Condition.oneOf(List.of(values)));
    return this;
  }

  Given absent(String attribute) {
    match.put(attribute, Condition.absent());
    return this;
  }

  Given ip(String... networks) {
    match.put("ip", Condition.networks(Arrays.stream(networks).map(Network::parse).toList()));
    return this;
  }

  Given by(String... attributes) {
    by = List.of(attributes);
    return this;
  }

  Given group(String name) {
    group = name;
    return this;
  }

  Given stage(int number) {
    stage = number;
    return this;
  }

  Given priority(int value) {
    priority = value;
    return this;
  }

  Given shadow() {
    shadow = true;
    return this;
  }

  Given cost(long factor) {
    cost = factor;
    return this;
  }

  Given action(Action other) {
    action = other;
    return this;
  }

  Given limit(String limitName, long limit) {
    limits.put(limitName, limit);
    return this;
  }

  Given limit(long limit) {
    return limit("", limit);
  }

  private Rule build(int index) {
    List<Limit> built = new ArrayList<>();
    if (action == Action.LIMIT && limits.isEmpty()) {
      limits.put("", 100L);
    }
    limits.forEach(
        (limitName, limit) ->
            built.add(
                Limit.of(
                    name,
                    by,
                    limitName.isEmpty() ? null : limitName,
                    Algorithm.of(Kind.FIXED_WINDOW, limit, MINUTE_NANOS, 0),
                    "60s")));
    String joined = by.isEmpty() ? "global" : String.join(",", by);
    return new Rule(
        name,
        Match.of(match),
        by,
        new Rule.Order(group == null ? joined : group, stage, priority, index),
        new Rule.Effect(
            action, built, cost, new Rule.Presentation(shadow, 429), FailurePolicy.DEFAULT));
  }
}
