package io.ringfence.membership;

/**
 * One member as a view lists it. Immutable and thread-safe.
 *
 * @param id its name and incarnation
 * @param peer where its peer channel listens
 * @param http where its public HTTP API listens
 * @param weight its share of the slots relative to the others, 1 to 100
 * @param state what it is to the view
 * @param inBase whether it owns slots in the base ring; only an ACTIVE or DRAINING member can
 */
public record Member(
    MemberId id, Address peer, Address http, int weight, MemberState state, boolean inBase) {
  private static final int MAX_WEIGHT = 100;

  /**
   * @throws IllegalArgumentException when the weight is outside 1..100, or a JOINING or AWAY member
   *     is said to be in the base
   */
  public Member {
    requireWeight(weight);
    if (inBase && !state.mayBeInBase()) {
      throw new IllegalArgumentException(id + " is " + state + " and so cannot be in the base");
    }
  }

  /** The operator's name for the node, unique within a view. */
  public String name() {
    return id.name();
  }

  static void requireWeight(int weight) {
    if (weight < 1 || weight > MAX_WEIGHT) {
      throw new IllegalArgumentException("weight " + weight + " is outside 1.." + MAX_WEIGHT);
    }
  }
}
