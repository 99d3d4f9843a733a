package io.ringfence.rules;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What one field of a match demands. Immutable; may be shared by any number of threads. */
public sealed interface Condition {

  /** The attribute has one of these values. */
  static Condition oneOf(Collection<String> values) {
    return new OneOf(Set.copyOf(requireSome(values)));
  }

  /** The route fits one of these patterns; the first that fits is the one that is counted. */
  static Condition routes(List<RoutePattern> patterns) {
    return new Routes(List.copyOf(requireSome(patterns)));
  }

  /** The address lies in one of these blocks. */
  static Condition networks(Collection<Network> networks) {
    return new Within(new NetworkSet(requireSome(networks)));
  }

  /** The request does not have the attribute. */
  static Condition absent() {
    return new Absent();
  }

  private static <C extends Collection<?>> C requireSome(C values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("a condition needs at least one value");
    }
    return values;
  }

  /** See {@link #oneOf}. */
  record OneOf(Set<String> values) implements Condition {}

  /** See {@link #routes}. */
  record Routes(List<RoutePattern> patterns) implements Condition {

    /** The first pattern that fits, or null. */
    @Nullable RoutePattern first(Subject subject) {
      NormalPath path = subject.path();
      if (path == null) {
        return null;
      }
      for (RoutePattern pattern : patterns) {
        if (pattern.matches(subject.method(), path.text())) {
          return pattern;
        }
      }
      return null;
    }
  }

  /** See {@link #networks}. */
  record Within(NetworkSet networks) implements Condition {}

  /** See {@link #absent}. */
  record Absent() implements Condition {}
}
