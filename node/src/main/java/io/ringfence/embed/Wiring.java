package io.ringfence.embed;

import io.ringfence.config.ClusterSettings;
import io.ringfence.config.HeaderDialect;
import io.ringfence.config.NodeConfig;
import io.ringfence.engine.Clock;
import io.ringfence.http.Dialect;
import io.ringfence.http.HttpLimits;
import io.ringfence.http.HttpMetrics;
import io.ringfence.http.HttpSettings;
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

  static HttpSettings http(NodeConfig config) {
    HttpLimits limits = HttpLimits.DEFAULT;
    HttpLimits drained =
        new HttpLimits(
            limits.connections(),
            limits.pipelined(),
            limits.idleNanos(),
            limits.requestNanos(),
            config.serving().drain().toNanos());
    Set<Dialect> dialects = EnumSet.noneOf(Dialect.class);
    for (HeaderDialect dialect : config.serving().dialects()) {
      dialects.add(
          switch (dialect) {
            case TRIPLE -> Dialect.TRIPLE;
            case X_LEGACY -> Dialect.X_LEGACY;
          });
    }
    return new HttpSettings(config.serving().http(), config.bounds(), drained, dialects);
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
