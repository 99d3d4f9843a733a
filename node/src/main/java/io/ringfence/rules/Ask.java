package io.ringfence.rules;

import java.util.List;

/**
 * One counter that a request must pass: which limit, which values, and what it is charged.
 *
 * @param rule the rule that applies
 * @param limit the limit of that rule
 * @param values the values of the attributes that the rule counts by, in the rule's order; empty
 *     for a global limit. Together with the limit they are the identity of the counter.
 * @param place what decides where the counter lives
 * @param cost what the counter is charged, 1 or more: the check's cost times the rule's
 */
public record Ask(Rule rule, Limit limit, List<String> values, Place place, long cost) {

  /**
   * Where a counter lives is a function of its identity alone: of the client if it counts by
   * client, else of its first value, else of the rule. So the limits of one client share an owner,
   * and one address has one counter whoever the clients behind it are.
   *
   * @param attribute the attribute that places it: client, ip, ..., or rule for a global limit
   * @param value the value of that attribute, or the rule's name
   */
  public record Place(String attribute, String value) {

    /** The attribute of a counter that is placed by its client. */
    public static final String CLIENT = "client";

    /** The attribute of a counter that is placed by its rule. */
    public static final String RULE = "rule";
  }
}
