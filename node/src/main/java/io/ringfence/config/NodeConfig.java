package io.ringfence.config;

import io.ringfence.engine.BoundsSettings;
import io.ringfence.engine.ForwardSettings;
import io.ringfence.engine.ReplicationSettings;
import io.ringfence.membership.Address;
import io.ringfence.membership.LeaseSettings;
import org.jspecify.annotations.Nullable;

/**
 * All that a node is started with, each part owned by the feature that it sets.
 *
 * @param node who it is
 * @param serving how it serves HTTP
 * @param cluster how it meets others, or null for a node alone
 * @param forward how it asks other nodes
 * @param replication how closely copies of its counters follow
 * @param lease the times of leases
 * @param bounds how much it keeps and accepts
 */
public record NodeConfig(
    NodeSettings node,
    ServingSettings serving,
    @Nullable ClusterSettings cluster,
    ForwardSettings forward,
    ReplicationSettings replication,
    LeaseSettings lease,
    BoundsSettings bounds) {

  /** Refuses two listeners at one address. */
  public NodeConfig {
    Address admin = serving.admin().listen();
    if (admin != null) {
      requireApart("listen.admin", admin, "listen.http", serving.http());
    }
    if (cluster != null) {
      Address peer = cluster.listen().peer();
      requireApart("listen.peer", peer, "listen.http", serving.http());
      requireApart("listen.cluster", cluster.listen().cluster(), "listen.http", serving.http());
      requireApart("listen.cluster", cluster.listen().cluster(), "listen.peer", peer);
      if (admin != null) {
        requireApart("listen.peer", peer, "listen.admin", admin);
        requireApart("listen.cluster", cluster.listen().cluster(), "listen.admin", admin);
      }
    }
  }

  private static void requireApart(String field, Address address, String other, Address taken) {
    if (address.port() != 0 && address.equals(taken)) {
      throw new IllegalArgumentException(field + " and " + other + " are both " + address);
    }
  }
}
