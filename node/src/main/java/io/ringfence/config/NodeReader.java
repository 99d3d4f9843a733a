package io.ringfence.config;

import io.ringfence.engine.BoundsSettings;
import io.ringfence.engine.ForwardSettings;
import io.ringfence.engine.ReplicationSettings;
import io.ringfence.membership.Address;
import io.ringfence.membership.LeaseSettings;
import io.ringfence.membership.Member;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads the sections of a node file that this release acts on. {@link ClusterReader} has the
 * meeting of others, {@link AdminReader} the admin calls, {@link UnusedSettings} what is checked
 * and not acted on.
 */
final class NodeReader {
  private static final String DEFAULT_HTTP = "127.0.0.1:8080";
  private static final String DEFAULT_NAME = "n1";
  private static final int MAX_NAME_CHARS = 64;

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
    ClusterSettings cluster =
        new ClusterReader(sections, problems, paths, warnings).read(environmentSecret);
    NodeSettings node = node(cluster);
    ForwardSettings forward = forward();
    ReplicationSettings replication = replication();
    LeaseSettings lease = lease();
    BoundsSettings bounds = bounds();
    UnusedSettings.read(sections, warnings);
    problems.throwIfAny();
    NodeConfig config =
        problems.built(
            sections.origin("listen"),
            () ->
                new NodeConfig(
                    required(node),
                    required(serving),
                    cluster,
                    required(forward),
                    required(replication),
                    required(lease),
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

  private @Nullable ServingSettings serving() {
    Fields listen = sections.open("listen");
    Fields headers = sections.open("headers");
    Fields shutdown = sections.open("shutdown");
    Address http = listen.read("http", Address::parse, Address.parse(DEFAULT_HTTP));
    AdminSettings admin = new AdminReader(sections, problems, paths, warnings).read(http);
    long drain = shutdown.read("drain", Scalars.nanos("0s", "10m"), 20_000_000_000L);
    return problems.built(
        sections.origin("shutdown"),
        () ->
            new ServingSettings(
                http,
                admin == null ? AdminSettings.DEFAULT : admin,
                dialects(headers),
                Duration.ofNanos(drain)));
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
    int weight = node.read("weight", Scalars.wholeInt(1, Member.MAX_WEIGHT), 1);
    Path rules = paths.read(sections.file(), "rules");
    Path data = paths.read(node, "data");
    return problems.built(
        sections.origin("node"), () -> new NodeSettings(name, weight, rules, data));
  }

  /** Nodes of one cluster differ in where others reach them, so a name may be made of that. */
  private String nameFrom(@Nullable ClusterSettings cluster) {
    if (cluster == null) {
      return DEFAULT_NAME;
    }
    Address peer = cluster.listen().peer();
    if (peer.port() == 0) {
      String once = "node-" + UUID.randomUUID().toString().substring(0, 8);
      warnings.add(
          "node.name is missing and listen.peer has port 0: this node is named "
              + once
              + " until it stops; a name of yours stays the same after a restart");
      return once;
    }
    String name = peer.host().replaceAll("[^A-Za-z0-9._-]", "-") + "-" + peer.port();
    if (name.length() > MAX_NAME_CHARS) {
      sections.open("node").problem("name", "is missing, and listen.peer is too long to be one");
    }
    return name;
  }

  private @Nullable ReplicationSettings replication() {
    Fields replication = sections.open("replication");
    ReplicationSettings standard = ReplicationSettings.DEFAULT;
    long interval =
        replication.read("interval", Scalars.nanos("1ms", "1s"), standard.interval().toNanos());
    long maxLag =
        replication.read("max_lag", Scalars.nanos("1ms", "1m"), standard.maxLag().toNanos());
    if (maxLag <= interval) {
      replication.problem("max_lag", "must be longer than interval");
      return null;
    }
    return new ReplicationSettings(Duration.ofNanos(interval), Duration.ofNanos(maxLag));
  }

  private @Nullable ForwardSettings forward() {
    Fields forward = sections.open("forward");
    ForwardSettings standard = ForwardSettings.DEFAULT;
    long deadline =
        forward.read("deadline", Scalars.nanos("1ms", "60s"), standard.deadline().toNanos());
    int failures =
        forward.read("breaker_failures", Scalars.wholeInt(1, 1_000), standard.breakerFailures());
    long probe = forward.read("probe", Scalars.nanos("10ms", "60s"), standard.probe().toNanos());
    return problems.built(
        sections.origin("forward"),
        () -> new ForwardSettings(Duration.ofNanos(deadline), failures, Duration.ofNanos(probe)));
  }

  private @Nullable LeaseSettings lease() {
    Fields view = sections.open("view");
    LeaseSettings standard = LeaseSettings.DEFAULT;
    long ping = view.read("ping", Scalars.nanos("1ms", "1m"), standard.pingNanos());
    long lease = view.read("lease", Scalars.nanos("1ms", "1m"), standard.leaseNanos());
    long holdDown = view.read("hold_down", Scalars.nanos("0s", "10m"), standard.holdDownNanos());
    if (lease <= ping) {
      view.problem("lease", "must be longer than ping");
      return null;
    }
    return problems.built(sections.origin("view"), () -> new LeaseSettings(ping, lease, holdDown));
  }

  private @Nullable BoundsSettings bounds() {
    Fields bounds = sections.open("bounds");
    BoundsSettings standard = BoundsSettings.DEFAULT;
    long keys = bounds.read("keys", Scalars.whole(1_000, 1_000_000_000), standard.keys());
    int keyBytes = bounds.read("key_bytes", Scalars.wholeInt(1, 4_096), standard.keyBytes());
    int batch = bounds.read("batch", Scalars.wholeInt(1, 10_000), standard.batch());
    int body = bounds.read("body", Scalars.bytes(1_024, 16 * 1024 * 1024), standard.bodyBytes());
    long fallback =
        bounds.read(
            "fallback_per_second", Scalars.whole(1, 1_000_000_000), standard.fallbackPerSecond());
    return problems.built(
        sections.origin("bounds"), () -> new BoundsSettings(keys, keyBytes, batch, body, fallback));
  }
}
