package io.ringfence.peer;

import io.netty.channel.Channel;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the accepted connections that have not proved themselves.
 *
 * <p>Above the bound the oldest is dropped. A real peer is through its handshake in a round trip or
 * two, so whoever opens connections and says nothing pushes out his own; refusing the new instead
 * would let him lock everybody out.
 *
 * <p>Thread-safe; holds its lock for a few instructions.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close closes the channel
final class UnprovenGate {
  private final int bound;
  private final PeerMetrics metrics;
  private final Set<Channel> waiting = new LinkedHashSet<>(); // oldest first, at most bound

  UnprovenGate(int bound, PeerMetrics metrics) {
    this.bound = bound;
    this.metrics = metrics;
  }

  /** Lets a connection in; it counts until it closes or {@link #leave}s. */
  void enter(Channel channel) {
    Channel dropped = add(channel);
    if (dropped != null) {
      metrics.unprovenDropped();
      dropped.close();
    }
    channel.closeFuture().addListener(closed -> leave(channel));
  }

  /** The connection has proved itself, or is gone. */
  synchronized void leave(Channel channel) {
    waiting.remove(channel);
  }

  /** How many there are. */
  synchronized int size() {
    return waiting.size();
  }

  private synchronized @Nullable Channel add(Channel channel) {
    Channel oldest = null;
    if (waiting.size() >= bound) {
      Iterator<Channel> oldestFirst = waiting.iterator();
      oldest = oldestFirst.next();
      oldestFirst.remove();
    }
    waiting.add(channel);
    return oldest;
  }
}
