package io.ringfence.embed;

import io.ringfence.config.ClusterSettings;
import io.ringfence.config.HeaderDialect;
import io.ringfence.config.NodeConfig;
import io.ringfence.engine.Clock;
import io.ringfence.http.Access;
import io.ringfence.http.AdminToken;
import io.ringfence.http.Dialect;
import io.ringfence.http.HttpLimits;
import io.ringfence.http.HttpMetrics;
import io.ringfence.http.HttpSettings;
import io.ringfence.membership.Address;
import io.ringfence.metrics.MicrometerEngineMetrics;
import io.ringfence.peer.HandshakeRefusal;
import io.ringfence.peer.PeerMetrics;
import io.ringfence.peer.PeerNetwork;
import io.ringfence.peer.PeerSettings;
import io.ringfence.peer.Secret;
import io.ringfence.ring.RingSettings;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Translates the settings of a node into those of its parts. */
final class Wiring {
  private static final String ALONE = "alone";

  private Wiring() {}

  static RingSettings ring(NodeConfig config) {
    ClusterSettings cluster = config.cluster();
    return cluster == null
        ? RingSeed.of(null, ALONE)
        : RingSeed.of(cluster.secret(), cluster.name());
  }

  static int expectedMembers(NodeConfig config) {
    ClusterSettings cluster = config.cluster();
    return cluster == null ? 1 : cluster.expect();
  }

  /** The network of peers, or null for a node alone. */
  static @Nullable PeerNetwork network(
      NodeConfig config, Clock clock, MicrometerEngineMetrics metrics) {
    ClusterSettings cluster = config.cluster();
    if (cluster == null) {
      return null;
    }
    PeerSettings settings = PeerSettings.of(cluster.listen().peer(), cluster.name());
    Secret secret = cluster.secret() == null ? Secret.none() : Secret.of(cluster.secret().bytes());
    return new PeerNetwork(settings, secret, clock, peerMetrics(metrics));
  }

  /**
   * What is served to callers, and to operators as well where they have no address of their own.
   */
  static HttpSettings http(NodeConfig config) {
    Access access =
        config.serving().adminOnHttp() ? Access.everybody(adminToken(config)) : Access.callers();
    HttpLimits limits = HttpLimits.DEFAULT.draining(config.serving().drain());
    return new HttpSettings(
        config.serving().http(), config.bounds(), limits, dialects(config), access);
  }

  /** What is served to operators at an address of their own, or null where they have none. */
  static @Nullable HttpSettings admin(NodeConfig config) {
    Address listen = config.serving().admin().listen();
    Access access = Access.operators(adminToken(config));
    return listen == null
        ? null
        : new HttpSettings(listen, config.bounds(), HttpLimits.ADMIN, dialects(config), access);
  }

  private static Set<Dialect> dialects(NodeConfig config) {
    Set<Dialect> dialects = EnumSet.noneOf(Dialect.class);
    for (HeaderDialect dialect : config.serving().dialects()) {
      dialects.add(
          switch (dialect) {
            case TRIPLE -> Dialect.TRIPLE;
            case X_LEGACY -> Dialect.X_LEGACY;
          });
    }
    return dialects;
  }

  private static @Nullable AdminToken adminToken(NodeConfig config) {
    io.ringfence.config.AdminToken token = config.serving().admin().token();
    return token == null ? null : AdminToken.of(token.bytes());
  }

  static HttpMetrics httpMetrics(MicrometerEngineMetrics metrics) {
    return new HttpMetrics() {
      @Override
      public void overflow(String bound) {
        metrics.overflow(bound);
      }

      @Override
      public void defect(String part) {
        metrics.defect(part);
      }
    };
  }

  private static PeerMetrics peerMetrics(MicrometerEngineMetrics metrics) {
    return new PeerMetrics() {
      @Override
      public void handshakeRefused(HandshakeRefusal reason) {
        metrics.overflow("peer_handshake");
      }

      @Override
      public void protocolError() {
        metrics.overflow("peer_protocol");
      }

      @Override
      public void silent() {
        metrics.overflow("peer_silent");
      }

      @Override
      public void outboundFull() {
        metrics.overflow("peer_outbound");
      }

      @Override
      public void unprovenDropped() {
        metrics.overflow("peer_unproven");
      }

      @Override
      public void eventDefect() {
        metrics.defect("peer");
      }
    };
  }
}
