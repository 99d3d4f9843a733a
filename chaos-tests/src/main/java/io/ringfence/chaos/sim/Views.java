package io.ringfence.chaos.sim;

import io.ringfence.membership.Address;
import io.ringfence.membership.Lineage;
import io.ringfence.membership.Member;
import io.ringfence.membership.MemberState;
import io.ringfence.membership.View;
import io.ringfence.membership.ViewName;
import java.util.ArrayList;
import java.util.List;

/** The one view of a run: all its nodes, for as long as it lasts. */
final class Views {
  private static final Lineage LINEAGE = new Lineage(1, 7);
  private static final int FIRST_PORT = 7_000; // of addresses that nobody dials

  private Views() {}

  /** The view that those nodes found, by seniority. */
  static View founding(List<SimNode> nodes) {
    List<Member> members = new ArrayList<>(nodes.size());
    for (SimNode node : nodes) {
      Address address = new Address("127.0.0.1", FIRST_PORT + node.number);
      members.add(new Member(node.id, address, address, 1, MemberState.ACTIVE, true));
    }
    return new View(LINEAGE, new ViewName(1, 0), members, true);
  }
}
