package io.ringfence.membership;

/**
 * What a process says of itself once it has proved on the peer channel that it belongs here.
 *
 * @param id its name and incarnation
 * @param peer where its peer channel listens
 * @param http where its public HTTP API listens
 * @param weight its share of the slots relative to the others, 1 to 100, as it is configured; while
 *     it runs an operator may give it another ({@link ViewKeeper#weigh})
 */
public record Introduction(MemberId id, Address peer, Address http, int weight) {
  /**
   * @throws IllegalArgumentException when the weight is outside 1..100
   */
  public Introduction {
    Member.requireWeight(weight);
  }

  /** This process as a member of a view. */
  public Member as(MemberState state, boolean inBase) {
    return new Member(id, peer, http, weight, state, inBase);
  }
}
