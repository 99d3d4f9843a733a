package io.ringfence.membership.hazelcast;

import io.ringfence.membership.Address;
import io.ringfence.membership.MemberId;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Where and how a node meets the others.
 *
 * @param clusterName 1 to 64 characters of {@code [A-Za-z0-9._-]}. It keeps clusters that share a
 *     network apart; it is not a secret
 * @param self the name and incarnation under which this node is introduced
 * @param listen the cluster address: one interface of this machine, not a wildcard; port 0 means
 *     any free port
 * @param advertisedPeer where the others reach this node's peer channel; its port is not 0
 * @param join where to look for the others, at most 1,024 entries {@code host:port}, {@code
 *     [ipv6]:port} or {@code host}. A name may stand for many addresses, all of which are tried,
 *     and is asked for again at every attempt. An entry without a port means the port of {@code
 *     listen} (5701 where that is 0). This node's own address may be among them. Empty: the node is
 *     on its own
 */
public record HazelcastSettings(
    String clusterName, MemberId self, Address listen, Address advertisedPeer, List<String> join) {
  private static final Pattern CLUSTER_NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final int MAX_JOIN = 1_024;
  private static final int USUAL_PORT = 5_701;

  /**
   * @throws IllegalArgumentException when a field is outside what is said above
   */
  public HazelcastSettings {
    if (!CLUSTER_NAME.matcher(clusterName).matches()) {
      throw new IllegalArgumentException(
          "a cluster name is 1..64 characters of [A-Za-z0-9._-]; this one is not");
    }
    if (listen.host().equals("0.0.0.0") || listen.host().equals("::")) {
      throw new IllegalArgumentException(
          "cluster address " + listen + " means all interfaces; name one of them");
    }
    if (advertisedPeer.port() == 0) {
      throw new IllegalArgumentException(
          "peer address " + advertisedPeer + " cannot be advertised: its port must be 1..65535");
    }
    if (join.size() > MAX_JOIN) {
      throw new IllegalArgumentException(
          "join has " + join.size() + " entries; at most " + MAX_JOIN + " are allowed");
    }
    int usualPort = listen.port() == 0 ? USUAL_PORT : listen.port();
    join = join.stream().map(entry -> joinAddress(entry, usualPort).toString()).toList();
  }

  private static Address joinAddress(String entry, int usualPort) {
    try {
      Address address =
          entry.indexOf(':') < 0 ? new Address(entry, usualPort) : Address.parse(entry);
      if (address.port() == 0) {
        throw new IllegalArgumentException("its port must be 1..65535");
      }
      return address;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("join entry: " + e.getMessage(), e);
    }
  }
}
