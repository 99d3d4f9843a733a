package io.ringfence.chaos.faults;

/**
 * How a rule is to fail, in the words of the rules file.
 *
 * @param durability sync, async or none
 * @param onStateLost fresh, prorated or spent
 * @param onUnavailable local or closed
 * @param onPartition share, closed, open or strict
 */
record Policy(String durability, String onStateLost, String onUnavailable, String onPartition) {
  /** Whatever is not decided by an owner is refused, so that only owners can admit. */
  static Policy closed(String durability, String onStateLost) {
    return new Policy(durability, onStateLost, "closed", "closed");
  }

  /** Callers answer out of their local buckets when no owner does. */
  static Policy local(String durability) {
    return new Policy(durability, "fresh", "local", "closed");
  }

  /** What a node that is cut off does; whose owner does not answer is refused. */
  static Policy cutOff(String durability, String onPartition) {
    return new Policy(durability, "fresh", "closed", onPartition);
  }

  /** The policy that implies two of the others. */
  static Policy strict() {
    return new Policy("sync", "spent", "closed", "strict");
  }

  boolean isLocal() {
    return onUnavailable.equals("local");
  }

  boolean isAsync() {
    return durability.equals("async");
  }

  /** The rule, on one line of a rules file. */
  String yaml(String name, String route, long limit, long windowSeconds) {
    return ("  - {name: %s, match: {route: \"%s\"}, by: client, algorithm: fixed-window, limit: %d,"
            + " window: %ds, durability: %s, on_state_lost: %s, on_unavailable: %s,"
            + " on_partition: %s}\n")
        .formatted(
            name, route, limit, windowSeconds, durability, onStateLost, onUnavailable, onPartition);
  }

  @Override
  public String toString() {
    return onPartition.equals("strict")
        ? onPartition
        : durability + ", " + onStateLost + ", " + onUnavailable + ", " + onPartition;
  }
}
