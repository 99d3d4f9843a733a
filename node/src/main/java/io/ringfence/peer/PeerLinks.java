package io.ringfence.peer;

import io.netty.channel.EventLoopGroup;
import io.ringfence.engine.message.PeerMessage;
import io.ringfence.membership.Address;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.View;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * All links of this process. There is one for each wanted peer, and one for each other peer that
 * has dialled here and is still connected; a link whose reason has gone removes itself. So the
 * state kept for peers follows the cluster as it is, however many members it has had.
 *
 * <p>Who is wanted is one immutable map. A link is told only to look at it again, and looks when
 * its event loop gets there, so the order in which calls overtake each other does not matter.
 *
 * <p>Thread-safe; does not block.
 */
final class PeerLinks {
  /** Above this many no peer that is not wanted is accepted (policy: refuse the new). */
  static final int MAX_LINKS = 2 * View.MAX_MEMBERS;

  private final EventLoopGroup loops;
  private final Dialler dialler;
  private final PeerEvents events;
  private final PeerMetrics metrics;
  private final ConcurrentHashMap<MemberId, PeerLink> links = new ConcurrentHashMap<>();
  private volatile Map<MemberId, Address> wanted = Map.of();

  PeerLinks(EventLoopGroup loops, Dialler dialler, PeerEvents events, PeerMetrics metrics) {
    this.loops = loops;
    this.dialler = dialler;
    this.events = events;
    this.metrics = metrics;
  }

  /** From now on these peers are wanted, at these addresses, and no others. */
  synchronized void want(Map<MemberId, Address> all) {
    Set<MemberId> concerned = new HashSet<>(wanted.keySet());
    concerned.addAll(all.keySet());
    wanted = Map.copyOf(all);
    concerned.forEach(this::revisit);
  }

  /** Where a peer is wanted, or null if it is not. */
  @Nullable Address wanted(MemberId id) {
    return wanted.get(id);
  }

  /** Has the link of a peer look again at whether it is wanted. */
  void revisit(MemberId id) {
    PeerLink link = wanted.containsKey(id) ? link(id) : links.get(id);
    if (link != null) {
      link.revisit();
    }
  }

  /** Whether a peer that has dialled here may stay. */
  boolean admits(MemberId id) {
    return wanted.containsKey(id) || links.containsKey(id) || links.size() < MAX_LINKS;
  }

  /** A peer has dialled here and proved itself. */
  void accepted(MemberId id, Outbound outbound) {
    link(id).attach(outbound);
  }

  /** See {@link PeerNetwork#send}. */
  boolean send(MemberId to, PeerMessage message) {
    int frameBytes = MessageTable.frameBytes(message);
    PeerLink link = links.get(to);
    Outbound outbound = link == null ? null : link.outbound(MessageTable.codeOf(message).phase());
    if (outbound == null) {
      return false;
    }
    boolean queued = outbound.offer(message, frameBytes);
    if (!queued) {
      metrics.outboundFull();
    }
    return queued;
  }

  /** Whether a connection with that peer is there. */
  boolean isConnected(MemberId id) {
    PeerLink link = links.get(id);
    return link != null && link.outbound(FrameCode.Phase.QUESTION) != null;
  }

  /** Closes the connections with a peer; one that is wanted is dialled again. */
  void disconnect(MemberId id) {
    PeerLink link = links.get(id);
    if (link != null) {
      link.disconnect();
    }
  }

  void remove(MemberId id, PeerLink link) {
    links.remove(id, link);
  }

  Dialler dialler() {
    return dialler;
  }

  PeerEvents events() {
    return events;
  }

  /** How many peers something is kept for. */
  int size() {
    return links.size();
  }

  private PeerLink link(MemberId id) {
    return links.computeIfAbsent(id, absent -> new PeerLink(absent, loops.next(), this));
  }
}
