package io.ringfence.config;

import io.ringfence.engine.BoundsSettings;
import io.ringfence.engine.ForwardSettings;
import io.ringfence.membership.Address;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the sections of a node file that this release acts on; {@link UnusedSettings} has the
 * others.
 *
 * <p>A node is alone, with no port for other nodes, unless listen.peer, listen.cluster or
 * cluster.join is set; whichever of the two addresses is then left out gets its default.
 */
final class NodeReader {
  private static final String DEFAULT_HTTP = "127.0.0.1:8080";
  private static final String DEFAULT_PEER = "127.0.0.1:7101";
  private static final String DEFAULT_CLUSTER = "127.0.0.1:5701";
  private static final String DEFAULT_NAME = "n1";
  private static final String OFF = "off";

  private final Problems problems = new Problems();
  private final List<String> warnings = new ArrayList<>();
  private final Sections sections;
  private final NodeFile.Paths paths;
  private final @Nullable String environmentSecret;

  NodeReader(Tree.Mapping written, NodeFile.Paths paths, @Nullable String environmentSecret) {
    this.sections = new Sections(written, problems);
    this.paths = paths;
    this.environmentSecret = environmentSecret;
  }

  LoadedNode read() throws ConfigException {
    ServingSettings serving = serving();
    ClusterSettings cluster = cluster();
    NodeSettings node = node(cluster);
    ForwardSettings forward = forward();
    BoundsSettings bounds = bounds();
    UnusedSettings.read(sections, warnings);
    problems.throwIfAny();
    NodeConfig config =
        built(
            "listen",
            () ->
                new NodeConfig(
                    required(node),
                    required(serving),
                    cluster,
                    required(forward),
                    required(bounds)));
    problems.throwIfAny();
    return new LoadedNode(required(config), warnings);
  }

  /** What cannot be missing once no problem was found. */
  private static <T> T required(@Nullable T value) {
    if (value == null) {
      throw new IllegalStateException("a setting is missing although nothing was wrong");
    }
    return value;
  }

  /** Builds settings whose constructor checks them; null where it refuses, which is reported. */
  private <T> @Nullable T built(String section, Supplier<T> constructor) {
    try {
      return constructor.get();
    } catch (IllegalArgumentException e) {
      problems.add(sections.origin(section), String.valueOf(e.getMessage()));
      return null;
    }
  }

  private @Nullable ServingSettings serving() {
    Fields listen = sections.open("listen");
    Fields headers = sections.open("headers");
    Fields shutdown = sections.open("shutdown");
    Address http = listen.read("http", Address::parse, Address.parse(DEFAULT_HTTP));
    long drain = shutdown.read("drain", Scalars.nanos("0s", "10m"), 20_000_000_000L);
    return built(
        "shutdown", () -> new ServingSettings(http, dialects(headers), Duration.ofNanos(drain)));
  }

  private static Set<HeaderDialect> dialects(Fields headers) {
    if (headers.tree("dialects") instanceof Tree.Listing list && list.items().isEmpty()) {
      return Set.of();
    }
    Map<String, HeaderDialect> known = new LinkedHashMap<>();
    for (HeaderDialect dialect : HeaderDialect.values()) {
      known.put(dialect.configName(), dialect);
    }
    List<HeaderDialect> read =
        headers.readAll("dialects", Scalars.choice(known, List.copyOf(known.keySet())));
    return headers.has("dialects") ? Set.copyOf(read) : EnumSet.allOf(HeaderDialect.class);
  }

  private @Nullable NodeSettings node(@Nullable ClusterSettings cluster) {
    Fields node = sections.open("node");
    String name =
        node.has("name") ? node.read("name", Scalars.name(), DEFAULT_NAME) : nameFrom(cluster);
    int weight = node.read("weight", Scalars.wholeInt(1, NodeSettings.MAX_WEIGHT), 1);
    Path rules = path(sections.file(), "rules");
    return built("node", () -> new NodeSettings(name, weight, rules));
  }

  /** Nodes of one cluster differ in where others reach them, so a name may be made of that. */
  private String nameFrom(@Nullable ClusterSettings cluster) {
    if (cluster == null) {
      return DEFAULT_NAME;
    }
    Address peer = cluster.listen().peer();
    if (peer.port() == 0) {
      sections
          .open("node")
          .problem("name", "is missing: with a listen.peer of port 0 a node needs a name");
    }
    return peer.host().replaceAll("[^A-Za-z0-9._-]", "-") + "-" + peer.port();
  }

  private @Nullable ClusterSettings cluster() {
    Fields listen = sections.open("listen");
    Fields cluster = sections.open("cluster");
    List<String> join = cluster.readAll("join", NodeReader::joinAddress);
    String name = cluster.read("name", Scalars.name(), "ringfence");
    int expect = cluster.read("expect", Scalars.wholeInt(1, ClusterSettings.MAX_MEMBERS), 1);
    Secret secret = secret(cluster);
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
    return built(
        "listen",
        () ->
            new ClusterSettings(
                name, expect, join, new ClusterSettings.Listen(peer, hazelcast), secret));
  }

  private static boolean isAlone(Fields listen, Fields cluster) {
    boolean peerOff = isOff(listen, "peer");
    boolean clusterOff = isOff(listen, "cluster");
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

  private static boolean isOff(Fields listen, String key) {
    return listen.tree(key) instanceof Tree.Text text && text.value().equals(OFF);
  }

  /** A host with a port, or without one for Hazelcast's own. */
  private static String joinAddress(String text) {
    boolean bare = text.indexOf(':') < 0 || text.endsWith("]");
    return Address.parse(bare ? text + ":5701" : text).toString();
  }

  private @Nullable Secret secret(Fields cluster) {
    Path path = path(cluster, "secret_file");
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

  private @Nullable Path path(Fields fields, String key) {
    Tree tree = fields.tree(key);
    return tree == null
        ? null
        : fields.read(key, text -> paths.resolve(tree, Scalars.text().read(text)));
  }

  private @Nullable ForwardSettings forward() {
    Fields forward = sections.open("forward");
    ForwardSettings standard = ForwardSettings.DEFAULT;
    long deadline =
        forward.read("deadline", Scalars.nanos("1ms", "60s"), standard.deadline().toNanos());
    int failures =
        forward.read("breaker_failures", Scalars.wholeInt(1, 1_000), standard.breakerFailures());
    long probe = forward.read("probe", Scalars.nanos("10ms", "60s"), standard.probe().toNanos());
    return built(
        "forward",
        () -> new ForwardSettings(Duration.ofNanos(deadline), failures, Duration.ofNanos(probe)));
  }

  private @Nullable BoundsSettings bounds() {
    Fields bounds = sections.open("bounds");
    BoundsSettings standard = BoundsSettings.DEFAULT;
    long keys = bounds.read("keys", Scalars.whole(1_000, 1_000_000_000), standard.keys());
    int keyBytes = bounds.read("key_bytes", Scalars.wholeInt(1, 4_096), standard.keyBytes());
    int batch = bounds.read("batch", Scalars.wholeInt(1, 10_000), standard.batch());
    int body = bounds.read("body", Scalars.bytes(1_024, 16 * 1024 * 1024), standard.bodyBytes());
    return built("bounds", () -> new BoundsSettings(keys, keyBytes, batch, body));
  }
}
