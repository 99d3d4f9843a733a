package io.ringfence.embed;

import io.ringfence.config.ConfigException;
import io.ringfence.config.LoadedNode;
import io.ringfence.config.NodeFile;
import io.ringfence.config.NodeFlag;
import io.ringfence.metrics.NodeMeters;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts a node together in code. Whatever is not said here is read from the node file, if one is
 * named, or has its default; the words and ranges are those of the node file. Nothing is read or
 * bound before {@link #start}.
 *
 * <p>Without an address the node serves HTTP (health, metrics, operators) on any free port of
 * loopback. Not thread-safe; to be used once.
 */
public final class NodeBuilder {
  private static final Logger LOG = LoggerFactory.getLogger(NodeBuilder.class);
  private static final String ANY_LOOPBACK = "127.0.0.1:0";

  private final Map<NodeFlag, String> settings = new EnumMap<>(NodeFlag.class);
  private @Nullable Path nodeFile;
  private @Nullable String rules;
  private @Nullable String secret;
  private NodeMeters meters = NodeMeters.ofItsOwn();

  NodeBuilder() {}

  /** The node file to start from. What is set here wins over it. */
  public NodeBuilder nodeFile(Path file) {
    nodeFile = file;
    return this;
  }

  /** The node's name, unique in its cluster and the same after a restart. */
  public NodeBuilder name(String name) {
    settings.put(NodeFlag.NAME, name);
    return this;
  }

  /** Where HTTP is served, as host:port. */
  public NodeBuilder http(String address) {
    settings.put(NodeFlag.HTTP, address);
    return this;
  }

  /**
   * Where other nodes reach this one, each as host:port; without this the node is alone.
   *
   * @param peer of the protocol between nodes
   * @param cluster of Hazelcast, which introduces nodes to each other
   */
  public NodeBuilder listen(String peer, String cluster) {
    settings.put(NodeFlag.PEER, peer);
    settings.put(NodeFlag.CLUSTER, cluster);
    return this;
  }

  /** Cluster addresses of nodes that may be there already, each as host:port. */
  public NodeBuilder join(String... addresses) {
    settings.put(NodeFlag.JOIN, String.join(",", addresses));
    return this;
  }

  /** The rules file, which is watched from then on. */
  public NodeBuilder rules(Path file) {
    settings.put(NodeFlag.RULES, file.toString());
    rules = null;
    return this;
  }

  /** The rules themselves, in the rules file's format. They stay in force until the node stops. */
  public NodeBuilder rules(String yaml) {
    settings.remove(NodeFlag.RULES);
    rules = yaml;
    return this;
  }

  /** Where counters of long windows are kept across a restart of all nodes; this node's alone. */
  public NodeBuilder data(Path directory) {
    settings.put(NodeFlag.DATA, directory.toString());
    return this;
  }

  /** What the cluster's nodes prove themselves with; needed off loopback. */
  public NodeBuilder secret(String text) {
    secret = text;
    return this;
  }

  /** Where the node's series go; without this into a registry of its own. */
  public NodeBuilder meters(NodeMeters where) {
    meters.close();
    meters = where;
    return this;
  }

  /**
   * Starts the node. Blocks while addresses are bound and discovery begins, a second or two in a
   * cluster; {@link RingfenceNode#awaitReady} tells when it takes part.
   *
   * @throws ConfigException where a setting or the rules are wrong; the message names the field,
   *     what is wrong with it and what it may be
   * @throws IOException where a file cannot be read or an address cannot be had
   */
  public RingfenceNode start() throws ConfigException, IOException {
    if (nodeFile == null) {
      settings.putIfAbsent(NodeFlag.HTTP, ANY_LOOPBACK);
    }
    LoadedNode loaded = NodeFile.load(nodeFile, settings, secret);
    loaded.warnings().forEach(LOG::warn);
    FirstRules first =
        rules == null ? FirstRules.of(loaded.config().node().rules()) : FirstRules.written(rules);
    return RingfenceNode.start(loaded.config(), first, meters);
  }
}
