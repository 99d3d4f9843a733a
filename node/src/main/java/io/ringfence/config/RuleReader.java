package io.ringfence.config;

import io.ringfence.rules.Action;
import io.ringfence.rules.Attributes;
import io.ringfence.rules.Limit;
import io.ringfence.rules.Match;
import io.ringfence.rules.Rule;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads one rule. A rule that is not to be counted may not carry fields that only counting gives a
 * meaning; a mistyped action would otherwise turn a limit off without a word.
 */
final class RuleReader {
  private static final int MAX_BY = 8;
  private static final int MAX_STAGE = 100;
  private static final int MAX_PRIORITY = 1_000_000;
  private static final long MAX_COST = 1_000_000_000_000L;

  private static final Map<String, Action> ACTIONS =
      Map.of(
          "exempt", Action.EXEMPT,
          "deny", Action.DENY,
          "unlimited", Action.UNLIMITED);

  /** What has no meaning where nothing is counted. */
  private static final List<String> COUNTING =
      List.of(
          "algorithm",
          "limit",
          "window",
          "burst",
          "limits",
          "cost",
          "stage",
          "shadow",
          "durability",
          "on_unavailable",
          "local_fraction",
          "local",
          "on_state_lost",
          "on_partition");

  /** What has no meaning where the rule decides alone. */
  private static final List<String> COMPETING = List.of("rate", "group", "priority");

  private final Set<String> matchKeys = new LinkedHashSet<>(Keys.MATCH);
  private final Set<String> attributes = new TreeSet<>(Attributes.BUILT_IN);
  private final List<String> warnings;

  /**
   * @param declared the names that the file adds to the built-in attributes
   * @param warnings receives what is accepted without effect
   */
  RuleReader(List<String> declared, List<String> warnings) {
    matchKeys.addAll(declared);
    attributes.addAll(declared);
    this.warnings = warnings;
  }

  /** The rule, or null where it has no usable name; whatever is wrong has been reported. */
  @Nullable Rule read(Fields nameless, int index) {
    String name = nameless.read("name", Scalars.name());
    if (name == null) {
      if (!nameless.has("name")) {
        nameless.problem("name", "is missing");
      }
      nameless.finish();
      return null;
    }
    Fields fields = nameless.named("rule " + name + ": ");
    Action action = action(fields);
    Match match = MatchReader.read(fields, matchKeys);
    List<String> by = by(fields, action);
    Rule rule =
        new Rule(name, match, by, order(fields, by, index), effect(fields, action, name, by));
    fields.finish();
    WithoutEffect.warn(fields, warnings);
    warnOfSurprises(rule);
    return rule;
  }

  private static Action action(Fields fields) {
    if (!fields.has("action")) {
      return isUnlimited(fields) ? Action.UNLIMITED : Action.LIMIT;
    }
    Action action =
        fields.read(
            "action",
            Scalars.choice(ACTIONS, List.of("exempt", "deny", "unlimited")),
            Action.UNLIMITED);
    if (fields.has("rate") && action == Action.UNLIMITED && !isUnlimited(fields)) {
      fields.problem("rate", "has no meaning with action: unlimited");
    }
    return action;
  }

  private static boolean isUnlimited(Fields fields) {
    return fields.tree("rate") instanceof Tree.Text text && text.value().equals(Rate.UNLIMITED);
  }

  private List<String> by(Fields fields, Action action) {
    if (!fields.has("by")) {
      boolean competes = action == Action.LIMIT || action == Action.UNLIMITED;
      return competes ? List.of(Attributes.CLIENT) : List.of();
    }
    List<String> by = fields.readAll("by", this::attribute);
    if (by.contains(Attributes.GLOBAL)) {
      if (by.size() > 1) {
        fields.problem("by", "has global among others; it stands alone");
      }
      return List.of();
    }
    if (by.size() > MAX_BY) {
      fields.problem("by", "must name at most " + MAX_BY + " attributes, not " + by.size());
    }
    return by;
  }

  private String attribute(String text) {
    if (!attributes.contains(text) && !text.equals(Attributes.GLOBAL)) {
      List<String> known = new ArrayList<>(attributes);
      known.add(Attributes.GLOBAL);
      throw new IllegalArgumentException(
          Shown.quoted(text)
              + " is not an attribute"
              + Suggestion.of(text, known)
              + " (known: "
              + String.join(", ", known)
              + "; others must be declared under attributes)");
    }
    return text;
  }

  private static Rule.Order order(Fields fields, List<String> by, int index) {
    return new Rule.Order(
        fields.read("group", RuleReader::group, defaultGroup(by)),
        fields.read("stage", Scalars.wholeInt(1, MAX_STAGE), 1),
        fields.read("priority", Scalars.wholeInt(0, MAX_PRIORITY), 0),
        index);
  }

  private static String group(String text) {
    if (!text.matches("[A-Za-z0-9_.,-]{1,256}")) {
      throw new IllegalArgumentException(
          "must be 1 to 256 letters, digits, _ . , - not " + Shown.quoted(text));
    }
    return text;
  }

  /** The same attributes in another order are the same group. */
  private static String defaultGroup(List<String> by) {
    return by.isEmpty() ? Attributes.GLOBAL : String.join(",", new TreeSet<>(by));
  }

  private Rule.Effect effect(Fields fields, Action action, String name, List<String> by) {
    Rule.Presentation presentation =
        new Rule.Presentation(
            fields.read("shadow", Scalars.bool(), false),
            fields.read(
                "status",
                Scalars.choice(Map.of("429", 429, "503", 503), List.of("429", "503")),
                429));
    if (action != Action.LIMIT) {
      refuse(fields, COUNTING, action);
      if (action != Action.UNLIMITED) {
        refuse(fields, COMPETING, action);
      }
      return new Rule.Effect(action, List.of(), 1, presentation, FailureReader.none());
    }
    List<Limit> limits = new LimitReader(name, by).read(fields);
    return new Rule.Effect(
        action,
        limits,
        fields.read("cost", Scalars.whole(1, MAX_COST), 1L),
        presentation,
        FailureReader.read(fields, limits));
  }

  private static void refuse(Fields fields, List<String> keys, Action action) {
    for (String key : keys) {
      if (fields.has(key)) {
        fields.problem(
            key, "has no meaning with action: " + action.name().toLowerCase(Locale.ROOT));
      }
    }
  }

  private void warnOfSurprises(Rule rule) {
    boolean anyRequest = rule.match().names().isEmpty();
    if (rule.effect().action() == Action.EXEMPT && anyRequest) {
      warnings.add("rule " + rule.name() + ": exempts every request, so that no rule limits any");
    }
    if (rule.by().contains(Attributes.ROUTE) && !rule.match().names().contains(Attributes.ROUTE)) {
      warnings.add(
          "rule "
              + rule.name()
              + ": counts by route without match.route, so that all routes count as one, /**");
    }
  }
}
