package io.ringfence.peer;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.ringfence.engine.Clock;
import io.ringfence.engine.PeerTransport;
import io.ringfence.engine.message.PeerMessage;
import io.ringfence.membership.Address;
import io.ringfence.membership.Candidate;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.View;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The network of peers as the node sees it: it listens, dials whoever it is told to, and moves
 * messages between processes that have proved to each other that they know the secret.
 *
 * <p>In order: {@link #bind}, then {@link #open}, then any number of {@link #connectTo} and {@link
 * #send}, then {@link #close}. Between bind and open the node learns its own address and builds
 * what needs to know it; callers wait meanwhile.
 *
 * <p>Thread-safe. {@code bind} and {@code close} block for a bounded time and must not be called on
 * an event loop; nothing else blocks. All threads are daemons named {@code ringfence-peer-*}.
 *
 * <p>Delivery is as {@link PeerTransport} says; questions of one sender to one peer keep their
 * order and answers keep theirs, but the two kinds may overtake each other, as they travel on
 * different connections. While a peer is dialled anew messages take the other connection.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close closes the channel
public final class PeerNetwork implements PeerTransport, AutoCloseable {
  private static final long CLOSE_SECONDS = 1;

  private final IoTransport transport;
  private final Wiring wiring;
  private final EventLoopGroup loops;
  private final PeerResolver resolver = new PeerResolver();
  private final Listener listener;
  private volatile @Nullable Opened opened; // set once, by open
  private boolean bound; // false to true once
  private boolean closed; // false to true once

  private record Opened(MemberId self, PeerLinks links) {}

  /**
   * A network that does nothing yet.
   *
   * @param secret what the cluster shares; {@link Secret#none} only where the address is loopback
   * @param clock tells the log how long ago it said something
   * @throws IllegalArgumentException if there is no secret and the address is not loopback
   */
  public PeerNetwork(PeerSettings settings, Secret secret, Clock clock, PeerMetrics metrics) {
    this(
        IoTransport.best(),
        settings,
        terms(ProtocolRange.CURRENT, settings, secret),
        new RefusalLog(clock),
        metrics);
  }

  PeerNetwork(
      IoTransport transport,
      PeerSettings settings,
      HandshakeTerms terms,
      RefusalLog log,
      PeerMetrics metrics) {
    this.transport = transport;
    this.loops =
        new MultiThreadIoEventLoopGroup(
            settings.threads(),
            new DefaultThreadFactory("ringfence-peer", true),
            transport.handlers());
    this.wiring =
        new Wiring(
            settings,
            terms,
            metrics,
            log,
            new DefaultChannelGroup("ringfence-peer", loops.next(), true));
    this.listener = new Listener(wiring);
  }

  static HandshakeTerms terms(ProtocolRange versions, PeerSettings settings, Secret secret) {
    if (secret.isNone() && !settings.listen().isLoopback()) {
      throw new IllegalArgumentException(
          "without a secret the peer address must be loopback, not " + settings.listen());
    }
    return new HandshakeTerms(
        versions,
        settings.cluster(),
        HandshakeKey.derive(secret, settings.cluster()),
        new SecureRandom());
  }

  /**
   * Takes the address without accepting yet.
   *
   * @return the address to tell others, with its real port
   * @throws java.io.UncheckedIOException if it cannot be taken, with the address in the message;
   *     the network is closed then
   * @throws IllegalStateException when called twice
   */
  public synchronized Address bind() {
    if (bound || closed) {
      throw new IllegalStateException("a network is bound once");
    }
    bound = true;
    try {
      return listener.bind(loops, transport.server());
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * Begins to accept and lets {@link #connectTo} dial.
   *
   * @param self this process, with the peer address that {@link #bind} returned
   * @param events told of everything that happens
   * @throws IllegalStateException before {@link #bind}, after {@link #close} or when called twice
   */
  public synchronized void open(LocalNode self, PeerEvents events) {
    if (!bound || closed || opened != null) {
      throw new IllegalStateException("a network is opened once, after it was bound");
    }
    PeerEvents guarded = new GuardedEvents(events, wiring.metrics());
    LinkPipeline pipeline = new LinkPipeline(wiring, guarded);
    Dialler dialler = new Dialler(transport.client(), wiring, self, pipeline, resolver);
    PeerLinks links = new PeerLinks(loops, dialler, guarded, wiring.metrics());
    opened = new Opened(self.facts().id(), links);
    listener.open(self, pipeline, links);
  }

  /**
   * Says whom to be connected with: the whole set, each time. Whoever is new is dialled, and
   * dialled again until it is left out; whoever is left out is disconnected. This process itself is
   * passed over. A peer that dials here is accepted whether it is wanted or not, as it may have
   * been introduced to one side earlier than to the other.
   *
   * @param all at most 1,024, apart from this process, each id once
   * @throws IllegalArgumentException if there are more
   * @throws IllegalStateException before {@link #open}
   */
  public void connectTo(Collection<Candidate> all) {
    Opened now = opened;
    if (now == null) {
      throw new IllegalStateException("connectTo comes after open");
    }
    Map<MemberId, Address> wanted = new HashMap<>();
    for (Candidate candidate : all) {
      if (!candidate.id().equals(now.self)) {
        wanted.put(candidate.id(), candidate.peer());
      }
    }
    if (wanted.size() > View.MAX_MEMBERS) {
      throw new IllegalArgumentException(
          "at most " + View.MAX_MEMBERS + " peers, not " + wanted.size());
    }
    synchronized (this) {
      if (!closed) {
        now.links.want(wanted);
      }
    }
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if the message is larger than the protocol allows; the limits
   *     are in docs/protocol.md
   */
  @Override
  public boolean send(MemberId to, PeerMessage message) {
    Opened now = opened;
    return now != null && now.links.send(to, message);
  }

  /** Whether a connection with that peer is there; it may be about to break. */
  public boolean isConnected(MemberId peer) {
    Opened now = opened;
    return now != null && now.links.isConnected(peer);
  }

  /** Closes the connections with a peer; one that is wanted is dialled again at once. */
  public void disconnect(MemberId peer) {
    Opened now = opened;
    if (now != null) {
      now.links.disconnect(peer);
    }
  }

  /** Whether a message is small enough to be sent; see docs/protocol.md for the limits. */
  public static boolean fits(PeerMessage message) {
    return MessageTable.fits(message);
  }

  /** How many peers something is kept for: the wanted ones, and others that are connected. */
  public int peers() {
    Opened now = opened;
    return now == null ? 0 : now.links.size();
  }

  /**
   * Stops listening, then closes every connection; what waits in queues is lost. Blocks for about
   * three seconds at most, a few milliseconds as a rule. May be repeated.
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    listener.close();
    Opened now = opened;
    if (now != null) {
      now.links.want(Map.of());
    }
    // A loop that is shut down at once does not always close its channels, so they are closed
    // first.
    wiring.channels().close().awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
    resolver.close();
    loops.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS);
    loops.terminationFuture().awaitUninterruptibly(2 * CLOSE_SECONDS, TimeUnit.SECONDS);
  }

  /** How many accepted connections have not proved themselves yet. */
  int unproven() {
    return listener.unproven();
  }
}
