package io.ringfence.config;

import io.ringfence.membership.Address;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a node meets others.
 *
 * <p>Whoever reaches the peer or the cluster address can try to join. On loopback that is a process
 * of the same machine, and a secret may be left out; anywhere else a node without a secret refuses
 * to start.
 *
 * @param name nodes of another name are strangers
 * @param expect how many members must once have been seen before the node reports ready; 1 or more
 * @param join host:port of nodes that may be there already; empty to wait for others
 * @param listen where others reach this node
 * @param secret what members prove themselves with, or null on loopback
 */
public record ClusterSettings(
    String name, int expect, List<String> join, Listen listen, @Nullable Secret secret) {
  /** The most members, and the most addresses to join by. */
  public static final int MAX_MEMBERS = 1_024;

  /** Validates the ranges, and that a node that others can reach has a secret. */
  public ClusterSettings {
    join = List.copyOf(join);
    if (expect < 1 || expect > MAX_MEMBERS) {
      throw new IllegalArgumentException(
          "cluster.expect must be from 1 to " + MAX_MEMBERS + ", not " + expect);
    }
    if (join.size() > MAX_MEMBERS) {
      throw new IllegalArgumentException(
          "cluster.join must be at most " + MAX_MEMBERS + " addresses, not " + join.size());
    }
    if (secret == null) {
      requireLoopback("listen.peer", listen.peer());
      requireLoopback("listen.cluster", listen.cluster());
    }
  }

  /**
   * The addresses that other nodes use.
   *
   * @param peer of the protocol between nodes; port 0 for any free one
   * @param cluster of Hazelcast, which introduces nodes to each other; port 0 for any free one
   */
  public record Listen(Address peer, Address cluster) {

    /** Refuses what others cannot dial. */
    public Listen {
      requireDialable("listen.peer", peer);
      requireDialable("listen.cluster", cluster);
    }
  }

  private static void requireLoopback(String field, Address address) {
    if (!address.isLoopback()) {
      throw new IllegalArgumentException(
          field
              + " "
              + address
              + " is not a loopback address, and there is no secret: give every node the same one"
              + " by --secret-file, cluster.secret_file or "
              + NodeFile.SECRET_VARIABLE
              + ", or listen on 127.0.0.1");
    }
  }

  private static void requireDialable(String field, Address address) {
    if (address.host().equals("0.0.0.0") || address.host().matches("[0:]+")) {
      throw new IllegalArgumentException(
          field
              + " "
              + address
              + " stands for every interface; name the one address that other nodes dial");
    }
  }
}
