package io.ringfence.membership.hazelcast;

import com.hazelcast.config.AdvancedNetworkConfig;
import com.hazelcast.config.ClassFilter;
import com.hazelcast.config.Config;
import com.hazelcast.config.JavaSerializationFilterConfig;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.ServerSocketEndpointConfig;
import com.hazelcast.spi.properties.ClusterProperty;
import com.hazelcast.spi.properties.HazelcastProperty;

/**
 * How Hazelcast is set up: as a membership service and nothing else.
 *
 * <p><b>Closed.</b> One socket, on one interface and one port, that speaks the member protocol
 * alone: clients, REST and memcache are refused there. No multicast, no guessing of the
 * environment, no code from outside, no scripting, no jobs, no call home. Java serialisation is
 * confined to a white list of one class; members need none for what they exchange here.
 *
 * <p><b>Lean.</b> Every member is a lite member, so there are no partitions to move. The partition
 * count must be the same on every node of a cluster, for ever.
 *
 * <p><b>Patient.</b> A broken connection is noticed at once, by the connection monitor. A silent
 * member is given {@value #MAX_SILENCE_SECONDS} s: shorter limits evict members in long pauses, and
 * failover does not wait for Hazelcast. The mastership claim keeps its default of 120 s, because
 * healthy survivors were seen to part at 10 s. After a split, members look for each other every
 * {@value #MERGE_SECONDS} s.
 */
final class LeanConfig {
  static final int MAX_SILENCE_SECONDS = 10;
  static final int MERGE_SECONDS = 5;
  static final int SHUTDOWN_SECONDS = 5;
  private static final int PARTITIONS = 11;
  private static final String MEMBER_ENDPOINT = "member";
  // Names the one address to bind. A list of allowed interfaces would do so too, but then Hazelcast
  // also drops the addresses of other nodes, where they come from names, unless they are on it.
  private static final String BIND_ADDRESS = "hazelcast.local.localAddress";

  private LeanConfig() {}

  /**
   * @param interfaceAddress the address of `listen` as a literal
   */
  static Config of(HazelcastSettings settings, String interfaceAddress) {
    Config config = new Config();
    config.setClusterName(settings.clusterName());
    config.setLiteMember(true);
    MemberAttributes.write(settings, config.getMemberAttributeConfig());
    config.setAdvancedNetworkConfig(network(settings));
    config
        .getSerializationConfig()
        .setJavaSerializationFilterConfig(
            new JavaSerializationFilterConfig()
                .setDefaultsDisabled(true)
                .setWhitelist(new ClassFilter().addClasses("java.lang.String")));
    config.getJetConfig().setEnabled(false).setResourceUploadEnabled(false);
    config.getMetricsConfig().setEnabled(false);
    config
        .getManagementCenterConfig()
        .setScriptingEnabled(false)
        .setConsoleEnabled(false)
        .setDataAccessEnabled(false);
    setProperties(config, interfaceAddress);
    return config;
  }

  private static AdvancedNetworkConfig network(HazelcastSettings settings) {
    ServerSocketEndpointConfig endpoint = new ServerSocketEndpointConfig();
    endpoint.setName(MEMBER_ENDPOINT);
    endpoint.setPort(settings.listen().port());
    endpoint.setPortAutoIncrement(false);
    endpoint.setReuseAddress(true);

    JoinConfig join = new JoinConfig();
    join.getAutoDetectionConfig().setEnabled(false);
    join.getMulticastConfig().setEnabled(false);
    join.setTcpIpConfig(new ResolvedJoin(settings.join()));

    AdvancedNetworkConfig network = new AdvancedNetworkConfig();
    network.setEnabled(true);
    network.setMemberEndpointConfig(endpoint);
    network.setJoin(join);
    return network;
  }

  private static void setProperties(Config config, String interfaceAddress) {
    set(config, ClusterProperty.LOGGING_TYPE, "slf4j");
    set(config, ClusterProperty.PHONE_HOME_ENABLED, "false");
    set(config, ClusterProperty.SHUTDOWNHOOK_ENABLED, "false");
    set(config, ClusterProperty.SOCKET_BIND_ANY, "false");
    config.setProperty(BIND_ADDRESS, interfaceAddress);
    set(
        config,
        ClusterProperty.PREFER_IPv4_STACK,
        interfaceAddress.contains(":") ? "false" : "true");

    set(config, ClusterProperty.HEARTBEAT_INTERVAL_SECONDS, "1");
    set(config, ClusterProperty.MAX_NO_HEARTBEAT_SECONDS, MAX_SILENCE_SECONDS);
    set(config, ClusterProperty.HEARTBEAT_FAILURE_DETECTOR_TYPE, "deadline");
    set(config, ClusterProperty.WAIT_SECONDS_BEFORE_JOIN, 0);
    set(config, ClusterProperty.MERGE_FIRST_RUN_DELAY_SECONDS, MERGE_SECONDS);
    set(config, ClusterProperty.MERGE_NEXT_RUN_DELAY_SECONDS, MERGE_SECONDS);
    set(config, ClusterProperty.GRACEFUL_SHUTDOWN_MAX_WAIT, SHUTDOWN_SECONDS);

    set(config, ClusterProperty.PARTITION_COUNT, PARTITIONS);
    set(config, ClusterProperty.PARTITION_OPERATION_THREAD_COUNT, 2);
    set(config, ClusterProperty.GENERIC_OPERATION_THREAD_COUNT, 2);
    set(config, ClusterProperty.IO_THREAD_COUNT, 1);
    set(config, ClusterProperty.EVENT_THREAD_COUNT, 1);
    set(config, ClusterProperty.RESPONSE_THREAD_COUNT, 1);
    set(config, ClusterProperty.CLIENT_ENGINE_THREAD_COUNT, 1);
    set(config, ClusterProperty.IO_BALANCER_INTERVAL_SECONDS, 0);
    set(config, ClusterProperty.SLOW_OPERATION_DETECTOR_ENABLED, "false");
    set(config, ClusterProperty.HEALTH_MONITORING_LEVEL, "OFF");
  }

  private static void set(Config config, HazelcastProperty property, int value) {
    set(config, property, Integer.toString(value));
  }

  private static void set(Config config, HazelcastProperty property, String value) {
    config.setProperty(property.getName(), value);
  }
}
