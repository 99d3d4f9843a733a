package io.ringfence.membership;

/**
 * One member as a view lists it. Immutable and thread-safe.
 *
 * @param id its name and incarnation
 * @param peer where its peer channel listens
 * @param http where its public HTTP API listens
 * @param weight its share of the slots relative to the others in the target ring, 1 to 100
 * @param state what it is to the view
 * @param baseWeight its share in the base ring, 0 where it owns nothing there; only an ACTIVE or
 *     DRAINING member can. It differs from {@code weight} while slots move to where a new weight
 *     has them
 */
public record Member(
    MemberId id, Address peer, Address http, int weight, MemberState state, int baseWeight) {
  /** The largest weight. */
  public static final int MAX_WEIGHT = 100;

  /**
   * @throws IllegalArgumentException when the weight is outside 1..100 or the one in the base
   *     outside 0..100, or a JOINING or AWAY member is said to be in the base
   */
  public Member {
    requireWeight(weight);
    if (baseWeight < 0 || baseWeight > MAX_WEIGHT) {
      throw new IllegalArgumentException(
          "weight in the base " + baseWeight + " is outside 0.." + MAX_WEIGHT);
    }
    if (baseWeight > 0 && !state.mayBeInBase()) {
      throw new IllegalArgumentException(id + " is " + state + " and so cannot be in the base");
    }
  }

  /** A member with one weight in both rings, as far as it is in the base at all. */
  public Member(
      MemberId id, Address peer, Address http, int weight, MemberState state, boolean inBase) {
    this(id, peer, http, weight, state, inBase ? weight : 0);
  }

  /** Whether it owns slots in the base ring. */
  public boolean inBase() {
    return baseWeight > 0;
  }

  /** Whether it is the same in both rings. */
  boolean isSettled() {
    return baseWeight == (state.inTarget() ? weight : 0);
  }

  /** The same member in another state, with that weight in the base. */
  Member as(MemberState next, int nextBaseWeight) {
    return new Member(id, peer, http, weight, next, nextBaseWeight);
  }

  /** The operator's name for the node, unique within a view. */
  public String name() {
    return id.name();
  }

  /**
   * Refuses what is no weight.
   *
   * @throws IllegalArgumentException when it is outside 1..100
   */
  public static void requireWeight(int weight) {
    if (weight < 1 || weight > MAX_WEIGHT) {
      throw new IllegalArgumentException("weight " + weight + " is outside 1.." + MAX_WEIGHT);
    }
  }
}
