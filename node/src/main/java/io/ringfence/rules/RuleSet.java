package io.ringfence.rules;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A compiled set of rules: which limits must a request pass, in which order. */
public final class RuleSet {
  private final String version;
  private final List<Rule> rules;

  /** Compiles; throws IllegalArgumentException where rules contradict each other. */
  public RuleSet(String version, List<Rule> rules) {
    this.version = version;
    this.rules = List.copyOf(rules);
  }

  /** The content hash of the set, as shown to people. */
  public String version() {
    return version;
  }

  /** The rules in the file's order. */
  public List<Rule> rules() {
    return rules;
  }

  /** The limit of that id, or null where this set has none. */
  public @Nullable Counted limit(long id) {
    return null;
  }

  /** What applies to a request of that cost (1 or more). */
  public Applicable applicable(Request request, long cost) {
    return new Applicable(null, List.of());
  }

  /** A limit and the rule that it belongs to. */
  public record Counted(Rule rule, Limit limit) {}

  /**
   * What applies to one request.
   *
   * @param shortcut a rule that decides without any counter (EXEMPT or DENY), or null
   * @param asks the counters to be passed, in the order of asking; empty where no rule applies
   */
  public record Applicable(@Nullable Rule shortcut, List<Ask> asks) {}
}
