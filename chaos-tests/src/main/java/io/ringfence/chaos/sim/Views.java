package io.ringfence.chaos.sim;

import io.ringfence.membership.Address;
import io.ringfence.membership.Lineage;
import io.ringfence.membership.Member;
import io.ringfence.membership.MemberState;
import io.ringfence.membership.View;
import io.ringfence.membership.ViewName;
import java.util.ArrayList;
import java.util.List;

/** Numbers the views of a run. Who is in them the scenario decides; nobody votes here. */
final class Views {
  private static final Lineage LINEAGE = new Lineage(1, 7);
  private static final int FIRST_PORT = 7_000; // of addresses that nobody dials

  private long epoch;

  /** Of the newest view. */
  long epoch() {
    return epoch;
  }

  /** The next view, with those members by seniority. */
  View next(List<SimNode> nodes) {
    epoch++;
    List<Member> members = new ArrayList<>(nodes.size());
    for (SimNode node : nodes) {
      Address address = new Address("127.0.0.1", FIRST_PORT + node.process);
      members.add(new Member(node.id, address, address, 1, MemberState.ACTIVE, true));
    }
    return new View(LINEAGE, new ViewName(epoch, 0), members, true);
  }
}
