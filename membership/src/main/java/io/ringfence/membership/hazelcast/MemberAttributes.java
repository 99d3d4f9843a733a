package io.ringfence.membership.hazelcast;

import com.hazelcast.cluster.Member;
import com.hazelcast.config.MemberAttributeConfig;
import io.ringfence.membership.Address;
import io.ringfence.membership.Candidate;
import io.ringfence.membership.MemberId;
import org.jspecify.annotations.Nullable;

/**
 * What a node says of itself in the attributes of its Hazelcast member: its id and the address of
 * its peer channel. They are set before the start and can never change afterwards. Anybody may
 * claim anything here.
 */
final class MemberAttributes {
  static final String ID = "ringfence.id";
  static final String PEER = "ringfence.peer";

  private MemberAttributes() {}

  static void write(HazelcastSettings settings, MemberAttributeConfig attributes) {
    attributes.setAttribute(ID, settings.self().toString());
    attributes.setAttribute(PEER, settings.advertisedPeer().toString());
  }

  /** What the member claims, or null where that is missing or malformed. */
  static @Nullable Candidate read(Member member) {
    String id = member.getAttribute(ID);
    String peer = member.getAttribute(PEER);
    if (id == null || peer == null) {
      return null;
    }
    try {
      Address address = Address.parse(peer);
      return address.port() == 0 ? null : new Candidate(MemberId.parse(id), address);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
