package io.ringfence.engine;

import io.ringfence.membership.Member;
import java.util.List;

/**
 * What a node knows of its cluster.
 *
 * @param node this node's name
 * @param epoch the epoch of its view, 0 without one
 * @param members the members of the view by seniority; empty without a view
 * @param rulesVersion the version of the rules in force on this node
 * @param degraded whether some checks are being answered by failure policies
 */
public record ClusterStatus(
    String node, long epoch, List<MemberShare> members, String rulesVersion, boolean degraded) {

  /** Copies the members. */
  public ClusterStatus {
    members = List.copyOf(members);
  }

  /**
   * A member and what it owns.
   *
   * @param member the member as the view has it
   * @param slots how many slots it owns
   * @param rulesVersion the version of the rules that it last reported, empty where not known
   */
  public record MemberShare(Member member, int slots, String rulesVersion) {}
}
