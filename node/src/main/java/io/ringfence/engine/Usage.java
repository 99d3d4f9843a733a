package io.ringfence.engine;

import io.ringfence.rules.Limit;
import io.ringfence.rules.Rule;
import java.util.List;

/**
 * What one client has used.
 *
 * @param certainty how sure the numbers are: DEGRADED where the owner was not reached, and the
 *     entries are what this node's failure policies counted
 * @param owner the name of the node that told
 * @param entries the client's counters in the order of the rules; at most {@link #MAX_ENTRIES}
 * @param truncated whether there are more
 */
public record Usage(Certainty certainty, String owner, List<Entry> entries, boolean truncated) {

  /** The most counters that are told of one client. */
  public static final int MAX_ENTRIES = 64;

  /** Copies the entries. */
  public Usage {
    entries = List.copyOf(entries);
  }

  /**
   * One counter.
   *
   * @param rule the rule
   * @param limit the limit of that rule
   * @param values what it counts by, in the order of the rule's attributes
   * @param answer what a check of cost 1 would be told
   */
  public record Entry(Rule rule, Limit limit, List<String> values, LimitVerdict.Answer answer) {

    /** Copies the values. */
    public Entry {
      values = List.copyOf(values);
    }
  }
}
