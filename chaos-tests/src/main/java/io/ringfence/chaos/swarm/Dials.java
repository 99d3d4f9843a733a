package io.ringfence.chaos.swarm;

import io.ringfence.membership.Address;
import io.ringfence.membership.Candidate;
import io.ringfence.membership.MemberId;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One process's attempts to reach others, and what they prove, by the rules of the peer network.
 *
 * <p>Whoever is wanted and has not been dialled is dialled again and again, at growing intervals. A
 * host always answers: where nobody listens it refuses, which proves the death of a process that
 * had once been connected and is not any more; where another incarnation answers, the one before is
 * dead. What is cut off or stopped does not answer in time, and that proves nothing.
 */
final class Dials {
  /** A connection that has stood this long lets attempts start at once again. */
  static final long STABLE_NANOS = 1_000_000_000;

  private static final long MILLI = 1_000_000;
  private static final long CONNECT_NANOS = 1_000 * MILLI;
  private static final long HANDSHAKE_NANOS = 2_000 * MILLI;
  private static final long LOOK_AGAIN_NANOS = 20 * MILLI;
  private static final long FIRST_MILLIS = 50;
  private static final long MOST_MILLIS = 1_000;

  private enum Result {
    CONNECTED,
    REFUSED,
    OTHER_ANSWERED,
    UNREACHABLE
  }

  /** One process that this one has tried to reach, or was reached by. */
  private static final class Peer {
    final MemberId id;
    @Nullable Address wanted; // null: not to be dialled
    boolean underWay; // an attempt is, or the wait before the next
    boolean everConnected;
    boolean dead; // said so, and not heard of since
    int attempts; // since they last started anew

    Peer(MemberId id) {
      this.id = id;
    }
  }

  private final Swarm swarm;
  private final Node self;
  private final SplittableRandom chance;
  private final Map<MemberId, Peer> peers = new LinkedHashMap<>();

  Dials(Swarm swarm, Node self, SplittableRandom chance) {
    this.swarm = swarm;
    this.self = self;
    this.chance = chance;
  }

  /** Whom to be connected with: the whole set, each time. */
  void connectTo(Collection<Candidate> all) {
    peers.values().forEach(peer -> peer.wanted = null);
    for (Candidate candidate : all) {
      if (!candidate.id().equals(self.id)) {
        peer(candidate.id()).wanted = candidate.peer();
      }
    }
    List.copyOf(peers.values()).forEach(this::next);
  }

  private Peer peer(MemberId id) {
    return peers.computeIfAbsent(id, Peer::new);
  }

  /** That process has connected with this one. */
  void met(MemberId id) {
    Peer peer = peer(id);
    peer.everConnected = true;
    peer.dead = false;
  }

  /** The connection is gone. */
  void lost(MemberId id, boolean stable) {
    Peer peer = peer(id);
    if (stable) {
      peer.attempts = 0;
    }
    next(peer);
  }

  private void next(Peer peer) {
    if (peer.wanted == null || peer.underWay || swarm.network.isDialled(self, peer.id)) {
      return;
    }
    peer.underWay = true;
    swarm.agenda.after(backoffNanos(peer), () -> swarm.enter(self, Waiting.TIMERS, () -> go(peer)));
  }

  private long backoffNanos(Peer peer) {
    int attempt = peer.attempts++;
    if (attempt == 0) {
      return 0;
    }
    long full = Math.min(MOST_MILLIS, FIRST_MILLIS << Math.min(attempt - 1, 10));
    return (full - chance.nextLong(full / 2 + 1)) * MILLI;
  }

  private void go(Peer peer) {
    Address address = peer.wanted;
    if (address == null || swarm.network.isDialled(self, peer.id)) {
      peer.underWay = false;
      return;
    }
    int host = Node.hostOf(address);
    if (swarm.network.isCutEitherWay(self.host, host)) {
      end(peer, null, Result.UNREACHABLE, CONNECT_NANOS);
    } else {
      swarm.agenda.after(thereAndBack(host), () -> knock(peer, host));
    }
  }

  private long thereAndBack(int host) {
    return swarm.network.delayNanos(self.host, host) + swarm.network.delayNanos(host, self.host);
  }

  private void knock(Peer peer, int host) {
    Node there = swarm.at(host);
    if (swarm.network.isCutEitherWay(self.host, host)) {
      end(peer, null, Result.UNREACHABLE, CONNECT_NANOS);
    } else if (there == null) {
      end(peer, null, Result.REFUSED, 0);
    } else {
      long until = swarm.agenda.now() + HANDSHAKE_NANOS;
      swarm.agenda.after(thereAndBack(host), () -> shakeHands(peer, there, until));
    }
  }

  private void shakeHands(Peer peer, Node there, long untilNanos) {
    if (there.hasEnded()) {
      end(peer, there, Result.UNREACHABLE, 0);
    } else if (there.isStopped() || swarm.network.isCutEitherWay(self.host, there.host)) {
      if (swarm.agenda.now() >= untilNanos) {
        end(peer, there, Result.UNREACHABLE, 0);
      } else {
        swarm.agenda.after(LOOK_AGAIN_NANOS, () -> shakeHands(peer, there, untilNanos));
      }
    } else {
      boolean other = !there.id.equals(peer.id);
      end(peer, there, other ? Result.OTHER_ANSWERED : Result.CONNECTED, 0);
    }
  }

  private void end(Peer peer, @Nullable Node there, Result result, long afterNanos) {
    int source = there == null ? Waiting.TIMERS : there.number;
    swarm.agenda.after(
        afterNanos, () -> swarm.enter(self, source, () -> ended(peer, there, result)));
  }

  private void ended(Peer peer, @Nullable Node there, Result result) {
    peer.underWay = false;
    if (peer.wanted == null) {
      return;
    }
    switch (result) {
      case CONNECTED -> connected(peer, there);
      case REFUSED -> {
        if (peer.everConnected && !swarm.network.isOpen(self, peer.id)) {
          die(peer, "its address refuses");
        } else {
          self.unreachable(peer.id);
        }
      }
      case OTHER_ANSWERED -> die(peer, "another incarnation answers at its address");
      case UNREACHABLE -> self.unreachable(peer.id);
    }
    next(peer);
  }

  private void connected(Peer peer, @Nullable Node there) {
    if (there == null
        || there.hasEnded()
        || swarm.network.isCutEitherWay(self.host, there.host)
        || swarm.network.isDialled(self, peer.id)) {
      return;
    }
    met(peer.id);
    swarm.network.dialled(self, there);
    self.authenticated(there);
  }

  private void die(Peer peer, String proof) {
    if (!peer.dead) {
      peer.dead = true;
      swarm.story.add(() -> "%s knows that %s is dead: %s".formatted(self, peer.id, proof));
      self.died(peer.id);
    }
  }
}
