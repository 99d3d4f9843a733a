package io.ringfence.membership;

/**
 * A process that discovery says is there. Nothing in it is proven: it becomes a member only after
 * it has authenticated itself on the peer channel, at the address given here. Several candidates
 * may claim one id; each address is worth asking, and at most one can prove itself.
 *
 * @param id the name and incarnation that it claims
 * @param peer where it claims that its peer channel listens
 */
public record Candidate(MemberId id, Address peer) {}
