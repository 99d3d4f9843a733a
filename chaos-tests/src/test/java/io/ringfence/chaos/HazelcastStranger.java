package io.ringfence.chaos;

import com.hazelcast.config.AdvancedNetworkConfig;
import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.ServerSocketEndpointConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;

/**
 * Somebody who knows the name of the cluster and how nodes introduce themselves, but not the
 * secret. It is a member of their Hazelcast, and claims to be a node whose peer address accepts
 * connections and never says a word.
 */
final class HazelcastStranger implements AutoCloseable {
  static final String NAME = "stranger";

  private final ServerSocket silent;
  private final HazelcastInstance hazelcast;

  HazelcastStranger(String clusterName, int port) throws IOException {
    silent = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
    Config config = new Config();
    config.setClusterName(clusterName);
    config
        .getMemberAttributeConfig()
        .setAttribute("ringfence.id", NAME + "@0123456789abcdef")
        .setAttribute("ringfence.peer", "127.0.0.1:" + silent.getLocalPort());
    config.setAdvancedNetworkConfig(network(port));
    config.setProperty("hazelcast.partition.count", "11");
    config.setProperty("hazelcast.socket.bind.any", "false");
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.setProperty("hazelcast.shutdownhook.enabled", "false");
    config.setProperty("hazelcast.logging.type", "none");
    hazelcast = Hazelcast.newHazelcastInstance(config);
  }

  private static AdvancedNetworkConfig network(int port) {
    ServerSocketEndpointConfig endpoint = new ServerSocketEndpointConfig();
    endpoint.setName("member");
    endpoint.setPort(port);
    endpoint.setPortAutoIncrement(false);
    endpoint.getInterfaces().setEnabled(true).setInterfaces(List.of("127.0.0.1"));
    JoinConfig join = new JoinConfig();
    join.getAutoDetectionConfig().setEnabled(false);
    join.getMulticastConfig().setEnabled(false);
    join.getTcpIpConfig().setEnabled(true);
    AdvancedNetworkConfig network = new AdvancedNetworkConfig();
    network.setEnabled(true);
    network.setMemberEndpointConfig(endpoint);
    network.setJoin(join);
    return network;
  }

  /** How many members its Hazelcast has, itself included. */
  int members() {
    return hazelcast.getCluster().getMembers().size();
  }

  /** Whether it is the oldest of them. */
  boolean isOldest() {
    return hazelcast.getCluster().getMembers().iterator().next().localMember();
  }

  @Override
  public void close() throws IOException {
    hazelcast.getLifecycleService().terminate();
    silent.close();
  }
}
