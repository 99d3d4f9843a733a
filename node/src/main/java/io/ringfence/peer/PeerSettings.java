package io.ringfence.peer;

import io.netty.buffer.ByteBufUtil;
import io.ringfence.membership.Address;

/**
 * Settings of the peer network.
 *
 * @param listen where to listen, and what others dial, so not a wildcard address; port 0 is any
 *     free port
 * @param cluster the name of the cluster, 1 to 128 bytes of UTF-8
 * @param threads how many event loops, 1 to 64
 * @param timeouts how long to wait for what
 * @param bounds how much may wait
 */
public record PeerSettings(
    Address listen, String cluster, int threads, Timeouts timeouts, Bounds bounds) {

  /** Validates the parts against their ranges. */
  public PeerSettings {
    if (listen.host().equals("0.0.0.0") || listen.host().matches("[0:]+")) {
      throw new IllegalArgumentException(
          "the peer address must be one that others can dial, not " + listen);
    }
    int clusterBytes = ByteBufUtil.utf8Bytes(cluster);
    requireWithin("the cluster's name in bytes", clusterBytes, 1, Limits.CLUSTER_BYTES);
    requireWithin("threads", threads, 1, 64);
  }

  /** The defaults: two event loops, {@link Timeouts#DEFAULT}, {@link Bounds#DEFAULT}. */
  public static PeerSettings of(Address listen, String cluster) {
    return new PeerSettings(listen, cluster, 2, Timeouts.DEFAULT, Bounds.DEFAULT);
  }

  /**
   * How long to wait for what, in milliseconds, each 10 to 60,000.
   *
   * @param connectMillis for a connection
   * @param handshakeMillis from a connection to the end of its handshake
   * @param silenceMillis for anything at all to come over an open connection; a keepalive is sent
   *     after a fifth of it
   */
  public record Timeouts(int connectMillis, int handshakeMillis, int silenceMillis) {
    /** 1 s, 2 s, 5 s. */
    public static final Timeouts DEFAULT = new Timeouts(1_000, 2_000, 5_000);

    /** Validates the ranges. */
    public Timeouts {
      requireWithin("connectMillis", connectMillis, 10, 60_000);
      requireWithin("handshakeMillis", handshakeMillis, 10, 60_000);
      requireWithin("silenceMillis", silenceMillis, 10, 60_000);
    }
  }

  /**
   * How much may wait.
   *
   * @param outboundBytes the most that is queued for one connection, 1 MiB to 1 GiB; a message
   *     counts its frame, and 512 bytes at least
   * @param unproven the most accepted connections that have not proved themselves, 1 to 65,536
   */
  public record Bounds(int outboundBytes, int unproven) {
    /** 8 MiB, so at most 16,384 messages; 256 connections. */
    public static final Bounds DEFAULT = new Bounds(8 << 20, 256);

    /** Validates the ranges. */
    public Bounds {
      requireWithin("outboundBytes", outboundBytes, 1 << 20, 1 << 30);
      requireWithin("unproven", unproven, 1, 65_536);
    }
  }

  private static void requireWithin(String name, int value, int lowest, int highest) {
    if (value < lowest || value > highest) {
      throw new IllegalArgumentException(
          name + " must be " + lowest + " to " + highest + ", not " + value);
    }
  }
}
