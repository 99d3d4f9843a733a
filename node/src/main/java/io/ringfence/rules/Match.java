package io.ringfence.rules;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which requests a rule applies to: all of its fields must hold. Without fields it holds for every
 * request.
 *
 * <p>How specific a match is goes by which of client, tier and route it names (see {@link
 * #specificity}), then by how many fields it has. {@code absent} counts as a field.
 *
 * <p>Immutable and thread-safe.
 */
public final class Match {
  /** Holds for every request. */
  public static final Match ANY = new Match(Map.of());

  /** By name of the attribute. */
  private final Map<String, Condition> fields;

  private final String[] names;
  private final Condition[] conditions; // conditions[i] is for names[i]

  private Match(Map<String, Condition> fields) {
    this.fields = Collections.unmodifiableMap(new TreeMap<>(fields));
    this.names = this.fields.keySet().toArray(String[]::new);
    this.conditions = this.fields.values().toArray(Condition[]::new);
  }

  /**
   * A match of those fields.
   *
   * @param fields by name: route, tier, client or an attribute
   * @throws IllegalArgumentException where a field has a condition that is not for it: patterns are
   *     for the route alone, blocks for the ip alone, and the client is never absent
   */
  public static Match of(Map<String, Condition> fields) {
    fields.forEach(
        (name, condition) -> {
          if (!fits(name, condition)) {
            throw new IllegalArgumentException(name + " cannot be matched by " + condition);
          }
        });
    return new Match(fields);
  }

  /** The names of the fields. */
  public Set<String> names() {
    return fields.keySet();
  }

  private static boolean fits(String name, Condition condition) {
    if (condition instanceof Condition.Absent) {
      return !name.equals(Attributes.CLIENT);
    }
    return switch (name) {
      case Attributes.ROUTE -> condition instanceof Condition.Routes;
      case Attributes.IP -> condition instanceof Condition.Within;
      default -> condition instanceof Condition.OneOf;
    };
  }

  boolean holds(Subject subject) {
    for (int i = 0; i < names.length; i++) {
      if (!holds(names[i], conditions[i], subject)) {
        return false;
      }
    }
    return true;
  }

  private static boolean holds(String name, Condition condition, Subject subject) {
    if (condition instanceof Condition.OneOf oneOf) {
      String value = subject.value(name);
      return value != null && oneOf.values().contains(value);
    }
    if (condition instanceof Condition.Routes routes) {
      return routes.first(subject) != null;
    }
    if (condition instanceof Condition.Within within) {
      IpAddress address = subject.address();
      return address != null && within.networks().contains(address);
    }
    return !subject.has(name);
  }

  /**
   * The pattern by which a request is counted: the first that fits, or any path where none is set.
   */
  String countedRoute(Subject subject) {
    Condition condition = fields.get(Attributes.ROUTE);
    RoutePattern first =
        condition instanceof Condition.Routes routes ? routes.first(subject) : null;
    return first == null ? "/**" : first.text();
  }

  /**
   * 0 for client and route, 1 for client, 2 for tier and route, 3 for tier, 4 for route, 5 for none
   * of them; the smaller is the more specific.
   */
  int specificity() {
    boolean route = names().contains(Attributes.ROUTE);
    if (names().contains(Attributes.CLIENT)) {
      return route ? 0 : 1;
    }
    if (names().contains(Attributes.TIER)) {
      return route ? 2 : 3;
    }
    return route ? 4 : 5;
  }

  boolean demandsAbsent(String name) {
    return fields.get(name) instanceof Condition.Absent;
  }

  /** The values that a field must have one of, or none where it says nothing or something else. */
  Set<String> values(String name) {
    return fields.get(name) instanceof Condition.OneOf oneOf ? oneOf.values() : Set.of();
  }

  /** The patterns of the route, or none. */
  List<RoutePattern> patterns() {
    return fields.get(Attributes.ROUTE) instanceof Condition.Routes routes
        ? routes.patterns()
        : List.of();
  }

  /** Whether some request is matched by both, as far as the fields that both have can tell. */
  boolean overlaps(Match other) {
    for (int i = 0; i < names.length; i++) {
      Condition theirs = other.fields.get(names[i]);
      if (theirs != null && !meet(conditions[i], theirs)) {
        return false;
      }
    }
    return true;
  }

  /** Whether it could hold for a request that has all of these attributes. */
  boolean possibleWith(Collection<String> present) {
    return present.stream().noneMatch(this::demandsAbsent);
  }

  private static boolean meet(Condition a, Condition b) {
    if (a instanceof Condition.OneOf x && b instanceof Condition.OneOf y) {
      return !Collections.disjoint(x.values(), y.values());
    }
    if (a instanceof Condition.Within x && b instanceof Condition.Within y) {
      return x.networks().overlaps(y.networks());
    }
    if (a instanceof Condition.Routes x && b instanceof Condition.Routes y) {
      return x.patterns().stream().anyMatch(p -> y.patterns().stream().anyMatch(p::overlaps));
    }
    return a instanceof Condition.Absent && b instanceof Condition.Absent;
  }

  @Override
  public String toString() {
    return fields.toString();
  }
}
