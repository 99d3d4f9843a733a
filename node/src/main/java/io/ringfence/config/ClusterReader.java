package io.ringfence.config;

import io.ringfence.membership.Address;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads how a node meets others.
 *
 * <p>A node is alone, with no port for other nodes, unless listen.peer, listen.cluster or
 * cluster.join is set; whichever of the two addresses is then left out gets its default.
 */
final class ClusterReader {
  private static final String DEFAULT_PEER = "127.0.0.1:7101";
  private static final String DEFAULT_CLUSTER = "127.0.0.1:5701";

  private final Sections sections;
  private final Problems problems;
  private final NodeFile.Paths paths;
  private final List<String> warnings;

  ClusterReader(Sections sections, Problems problems, NodeFile.Paths paths, List<String> warnings) {
    this.sections = sections;
    this.problems = problems;
    this.paths = paths;
    this.warnings = warnings;
  }

  /**
   * The settings, or null where the node is alone or something is wrong, which has been reported.
   *
   * @param environmentSecret the secret as the environment has it, or null
   */
  @Nullable ClusterSettings read(@Nullable String environmentSecret) {
    Fields listen = sections.open("listen");
    Fields cluster = sections.open("cluster");
    List<String> join = cluster.readAll("join", ClusterReader::joinAddress);
    String name = cluster.read("name", Scalars.name(), "ringfence");
    int expect = cluster.read("expect", Scalars.wholeInt(1, ClusterSettings.MAX_MEMBERS), 1);
    Secret secret = secret(cluster, environmentSecret);
    if (isAlone(listen, cluster)) {
      if (expect > 1) {
        cluster.problem(
            "expect",
            "is " + expect + ", but without listen.peer or cluster.join no other can come");
      }
      return null;
    }
    Address peer = listen.read("peer", Address::parse, Address.parse(DEFAULT_PEER));
    Address hazelcast = listen.read("cluster", Address::parse, Address.parse(DEFAULT_CLUSTER));
    if (secret == null && problems.isEmpty()) {
      warnings.add(
          "there is no secret: every process of this machine can join this cluster; set"
              + " cluster.secret_file, --secret-file or "
              + NodeFile.SECRET_VARIABLE);
    }
    return problems.built(
        sections.origin("listen"),
        () ->
            new ClusterSettings(
                name, expect, join, new ClusterSettings.Listen(peer, hazelcast), secret));
  }

  private static boolean isAlone(Fields listen, Fields cluster) {
    boolean peerOff = listen.isOff("peer");
    boolean clusterOff = listen.isOff("cluster");
    if (peerOff && clusterOff) {
      if (cluster.has("join")) {
        cluster.problem("join", "has no meaning with listen.peer and listen.cluster off");
      }
      return true;
    }
    if (peerOff || clusterOff) {
      String off = peerOff ? "peer" : "cluster";
      boolean otherSet = listen.has(peerOff ? "cluster" : "peer") || cluster.has("join");
      if (otherSet) {
        listen.problem(
            off, "is off while others are to be met; both addresses are needed for that");
      }
      return true;
    }
    return !listen.has("peer") && !listen.has("cluster") && !cluster.has("join");
  }

  /** A host with a port, or without one for Hazelcast's own. */
  private static String joinAddress(String text) {
    boolean bare = text.indexOf(':') < 0 || text.endsWith("]");
    return Address.parse(bare ? text + ":5701" : text).toString();
  }

  private @Nullable Secret secret(Fields cluster, @Nullable String environmentSecret) {
    Path path = paths.read(cluster, "secret_file");
    if (path != null) {
      try {
        return Secret.of(new String(YamlText.bytes(path), StandardCharsets.UTF_8));
      } catch (ConfigException | IllegalArgumentException e) {
        cluster.problem("secret_file", String.valueOf(e.getMessage()));
        return null;
      }
    }
    if (environmentSecret == null || environmentSecret.isBlank() || cluster.has("secret_file")) {
      return null;
    }
    try {
      return Secret.of(environmentSecret);
    } catch (IllegalArgumentException e) {
      problems.add(Origin.of(NodeFile.SECRET_VARIABLE), String.valueOf(e.getMessage()));
      return null;
    }
  }
}
