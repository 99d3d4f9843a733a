package io.ringfence.rules;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A compiled set of rules: which counters must a request pass, in which order.
 *
 * <p>A rule applies when every field of its match holds and the request has every attribute that it
 * counts by. An applicable EXEMPT rule decides alone and lets the request pass; without one, an
 * applicable DENY rule decides alone and refuses it. The other applicable rules compete in their
 * groups: the most specific of a group wins, and every winner must pass.
 *
 * <ol>
 *   <li>Specificity: client and route, client, tier and route, tier, route, none of them; then more
 *       fields in the match; then the larger priority. Two rules of one group that are equal in all
 *       of it and may both apply to some request are refused.
 *   <li>An UNLIMITED rule that wins its group asks for no counter; other groups still count.
 *   <li>Shadow rules compete among themselves only, so trying a rule never changes who is in force.
 *   <li>Order of asking: stage; then rules that count by client before others; then more attributes
 *       counted by; then the smaller limit; then the order of the file. A global limit counts by
 *       nothing and so comes last in its stage.
 * </ol>
 *
 * <p>Immutable and thread-safe; {@link #applicable} runs on every check, blocks nowhere, and costs
 * time in the rules that are filed under the request's client, tier and first path segment.
 */
public final class RuleSet {
  /** The most rules in a set. */
  public static final int MAX_RULES = 2_000;

  /** The most counters that one request may have to pass. */
  public static final int MAX_ASKS = 64;

  private static final long MAX_COST = 1_000_000_000_000L;

  private final String version;
  private final List<Rule> rules;
  private final RuleIndex index;
  private final long[] limitIds; // ascending, without equals
  private final Counted[] counted; // counted[i] has limitIds[i]

  /**
   * Compiles.
   *
   * @param version names this set to people and other nodes
   * @param rules in the file's order
   * @throws RuleConflictException where a rule cannot stand beside the others, or by itself never
   *     applies
   */
  public RuleSet(String version, List<Rule> rules) {
    this.version = version;
    this.rules = List.copyOf(rules);
    RuleSetCheck.check(this.rules);
    this.index = new RuleIndex(Compilation.of(this.rules));
    this.counted = RuleSetCheck.limitsById(this.rules);
    this.limitIds = Arrays.stream(counted).mapToLong(entry -> entry.limit().id()).toArray();
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
    int at = Arrays.binarySearch(limitIds, id);
    return at < 0 ? null : counted[at];
  }

  /** The ids of an earlier set's limits that this one does not have, or counts by other numbers. */
  public List<Long> changedSince(RuleSet before) {
    return Arrays.stream(before.counted)
        .map(Counted::limit)
        .filter(limit -> !countsLike(limit))
        .map(Limit::id)
        .toList();
  }

  private boolean countsLike(Limit other) {
    Counted mine = limit(other.id());
    return mine != null && mine.limit().algorithm().equals(other.algorithm());
  }

  /**
   * What applies to a request.
   *
   * @param cost what the check weighs, 1 to 10^12
   */
  public Applicable applicable(Request request, long cost) {
    if (cost < 1 || cost > MAX_COST) {
      throw new IllegalArgumentException("cost must be from 1 to " + MAX_COST + ", not " + cost);
    }
    Subject subject = new Subject(request);
    Selection selection = new Selection(subject);
    index.candidates(subject, selection::offer);
    return selection.result(cost);
  }

  /**
   * What a counter is charged: the check's cost times the rule's, but at most 10^12. No limit holds
   * more than that, so a product cut down to it fits nowhere but into a full limit of exactly
   * 10^12.
   */
  static long charge(long cost, long ruleCost) {
    return cost > MAX_COST / ruleCost ? MAX_COST : cost * ruleCost;
  }

  /** A limit and the rule that it belongs to. */
  public record Counted(Rule rule, Limit limit) {}

  /**
   * What applies to one request.
   *
   * @param shortcut a rule that decides without any counter (EXEMPT or DENY), or null
   * @param asks the counters to be passed, in the order of asking; empty where no rule applies, and
   *     where only unlimited ones do
   */
  public record Applicable(@Nullable Rule shortcut, List<Ask> asks) {}
}
