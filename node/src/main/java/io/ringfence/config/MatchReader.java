package io.ringfence.config;

import io.ringfence.rules.Attributes;
import io.ringfence.rules.Condition;
import io.ringfence.rules.Match;
import io.ringfence.rules.Network;
import io.ringfence.rules.RoutePattern;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads which requests a rule applies to: for each field a value, a list, or {@code absent}. */
final class MatchReader {
  static final String ABSENT = "absent";

  private MatchReader() {}

  /** The match of a rule; whatever is wrong has been reported and is left out of it. */
  static Match read(Fields rule, Set<String> keys) {
    Fields fields = rule.section("match", keys);
    if (fields == null) {
      return Match.ANY;
    }
    fields.finish();
    Map<String, Condition> conditions = new LinkedHashMap<>();
    for (String name : fields.written()) {
      Condition condition = keys.contains(name) ? condition(fields, name) : null;
      if (condition != null) {
        conditions.put(name, condition);
      }
    }
    return Match.of(conditions);
  }

  private static @Nullable Condition condition(Fields fields, String name) {
    if (fields.tree(name) instanceof Tree.Text text && text.value().equals(ABSENT)) {
      if (name.equals(Attributes.CLIENT)) {
        fields.problem(name, "is in every check and never absent");
        return null;
      }
      return Condition.absent();
    }
    return switch (name) {
      case Attributes.ROUTE -> {
        List<RoutePattern> patterns = fields.readAll(name, value(RoutePattern::parse));
        yield patterns.isEmpty() ? null : Condition.routes(patterns);
      }
      case Attributes.IP -> {
        List<Network> networks = fields.readAll(name, value(Network::parse));
        yield networks.isEmpty() ? null : Condition.networks(networks);
      }
      default -> {
        List<String> values = fields.readAll(name, value(text -> text));
        yield values.isEmpty() ? null : Condition.oneOf(values);
      }
    };
  }

  private static <T> Scalars.Reader<T> value(Scalars.Reader<T> reader) {
    return text -> {
      if (text.isEmpty()) {
        throw new IllegalArgumentException("must not be empty");
      }
      if (text.equals(ABSENT)) {
        throw new IllegalArgumentException("has absent among other values; it stands alone");
      }
      try {
        return reader.read(text);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(Shown.quoted(text) + " " + e.getMessage(), e);
      }
    };
  }
}
