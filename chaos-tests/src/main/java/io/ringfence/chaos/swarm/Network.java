package io.ringfence.chaos.swarm;

import io.ringfence.chaos.swarm.Link.Flight;
import io.ringfence.chaos.swarm.Link.Side;
import io.ringfence.chaos.virtual.Agenda;
import io.ringfence.engine.message.PeerMessage;
import io.ringfence.membership.MemberId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Carries messages between processes, as TCP does.
 *
 * <p>A link that stands loses nothing and keeps the order of each of its ways; where answers have a
 * connection of their own they overtake questions. A cut between two hosts, one way or both, holds
 * up what comes to it; after its end everything goes on, as TCP sends again, unless one side has
 * given the link up meanwhile: that does whoever has heard nothing for the time of silence, be the
 * other cut off or stopped. Then what is under way is lost. A process that ends resets its links,
 * which the others learn where no cut is in between.
 */
final class Network {
  private static final int MOST_HOSTS = 16;
  private static final long MOST_RESEND_NANOS = 200_000_000;

  private final Swarm swarm;
  private final Agenda agenda;
  private final SplittableRandom chance;
  private final Tempo tempo;
  private final Map<Long, Link> links = new LinkedHashMap<>();
  private final int[][] cuts = new int[MOST_HOSTS][MOST_HOSTS];
  private final long[][] slowNanos = new long[MOST_HOSTS][MOST_HOSTS];

  Network(Swarm swarm, SplittableRandom chance) {
    this.swarm = swarm;
    this.agenda = swarm.agenda;
    this.chance = chance;
    this.tempo = swarm.setup.tempo();
  }

  private Link link(Node one, Node other) {
    Node low = one.number < other.number ? one : other;
    Node high = low == one ? other : one;
    long key = ((long) low.number << 32) | high.number;
    return links.computeIfAbsent(key, unused -> new Link(low, high));
  }

  /** How long something takes from one host to another now. */
  long delayNanos(int from, int to) {
    return tempo.leastNanos()
        + chance.nextLong(tempo.mostNanos() - tempo.leastNanos() + 1)
        + slowNanos[from][to];
  }

  /** Sends, as the engine's port for it says. */
  boolean send(Node from, MemberId toId, PeerMessage message) {
    Node to = swarm.process(toId);
    if (to == null || to == from) {
      return false;
    }
    Link link = link(from, to);
    Side side = link.of(from);
    if (!side.open) {
      return false;
    }
    int lane = tempo.lanes() && Frames.isAnswer(message) ? 1 : 0;
    long arrival =
        Math.max(agenda.now() + delayNanos(from.host, to.host), side.lastArrivalNanos[lane] + 1);
    side.lastArrivalNanos[lane] = arrival;
    Flight flight = new Flight(message, side.openedAs);
    agenda.at(arrival, () -> arrive(link, side, flight));
    return true;
  }

  private void arrive(Link link, Side from, Flight flight) {
    Side to = link.opposite(from);
    if (isCut(from.node, to.node) || !from.held.isEmpty()) {
      from.held.add(flight);
    } else {
      deliver(link, from, flight);
    }
  }

  private void deliver(Link link, Side from, Flight flight) {
    Side to = link.opposite(from);
    if (to.open && flight.generation() == link.generation) {
      swarm.enter(to.node, from.node.number, () -> to.node.receive(from.node, flight.message()));
    }
  }

  /** Whether this process has a connection with that one, as far as it knows. */
  boolean isOpen(Node here, MemberId thereId) {
    Node there = swarm.process(thereId);
    return there != null && link(here, there).of(here).open;
  }

  /** Whether its own attempt has proved that one, and the connection stands. */
  boolean isDialled(Node here, MemberId thereId) {
    Node there = swarm.process(thereId);
    return there != null && link(here, there).of(here).dialled;
  }

  /** For how long the connection has stood, as far as this process knows. */
  long standsForNanos(Node here, Node there) {
    return agenda.now() - link(here, there).of(here).openedNanos;
  }

  /** An attempt has reached the other process and proved it. */
  void dialled(Node here, Node there) {
    Link link = link(here, there);
    Side side = link.of(here);
    Side opposite = link.opposite(side);
    if (!side.open) {
      if (opposite.open) {
        lose(link, opposite); // it did not know yet that the connection before was gone
      }
      link.stand(agenda.now());
      there.met(here.id);
    }
    side.dialled = true;
  }

  boolean isCut(Node from, Node to) {
    return cuts[from.host][to.host] > 0;
  }

  /** Whether nothing can go there and back. */
  boolean isCutEitherWay(int one, int other) {
    return cuts[one][other] > 0 || cuts[other][one] > 0;
  }

  /** Whether any cut is in force. */
  boolean anyCut() {
    for (int[] row : cuts) {
      for (int cut : row) {
        if (cut > 0) {
          return true;
        }
      }
    }
    return false;
  }

  void cut(int from, int to) {
    cuts[from][to]++;
    review();
  }

  void heal(int from, int to) {
    cuts[from][to]--;
    if (cuts[from][to] == 0) {
      for (Link link : List.copyOf(links.values())) {
        for (Side side : link.sides) {
          if (side.node.host == from && link.opposite(side).node.host == to) {
            passes(link, side);
          }
        }
      }
    }
    review();
  }

  /** The way from that side is free again. */
  private void passes(Link link, Side from) {
    agenda.after(1 + chance.nextLong(MOST_RESEND_NANOS), () -> sendAgain(link, from));
    Side to = link.opposite(from);
    if (to.open && !from.open) {
      resetAfterDelay(link, from, 0);
    }
  }

  private void sendAgain(Link link, Side from) {
    while (!from.held.isEmpty() && !isCut(from.node, link.opposite(from).node)) {
      deliver(link, from, from.held.remove());
    }
  }

  /** What goes from one host to the other takes that much longer from now on. */
  void slow(int from, int to, long byNanos) {
    slowNanos[from][to] = byNanos;
  }

  /** A process was stopped, or goes on: looks at who hears whom. */
  void review() {
    for (Link link : List.copyOf(links.values())) {
      for (Side side : link.sides) {
        review(link, side);
      }
    }
  }

  private void review(Link link, Side from) {
    Side to = link.opposite(from);
    if (!to.open || !isMute(link, from)) {
      from.muteSinceNanos = -1;
    } else if (from.muteSinceNanos < 0) {
      from.muteSinceNanos = agenda.now();
      long since = from.muteSinceNanos;
      Runnable judge =
          () -> {
            if (to.open && from.muteSinceNanos == since) {
              giveUp(link, to);
            }
          };
      agenda.after(tempo.silenceNanos(), () -> swarm.enter(to.node, Waiting.TIMERS, judge));
    }
  }

  private boolean isMute(Link link, Side from) {
    return !from.open || from.node.isStopped() || isCut(from.node, link.opposite(from).node);
  }

  /** A process gives up what it believes to be a link, right after its turn. */
  void disconnect(Node here, MemberId thereId) {
    Node there = swarm.process(thereId);
    if (there != null) {
      Link link = link(here, there);
      Side side = link.of(here);
      int standing = side.openedAs;
      agenda.after(
          1,
          () -> {
            if (side.open && side.openedAs == standing) {
              giveUp(link, side);
            }
          });
    }
  }

  /** That side has heard nothing for too long. */
  private void giveUp(Link link, Side side) {
    swarm.story.add(
        () -> "%s gives up its link with %s".formatted(side.node, link.opposite(side).node));
    lose(link, side);
    Side opposite = link.opposite(side);
    if (opposite.open && !isCut(side.node, opposite.node)) {
      resetAfterDelay(link, side, 0);
    }
    review();
  }

  /** A process has ended: the others learn that their connections with it are gone. */
  void ended(Node node, boolean orderly) {
    for (Link link : List.copyOf(links.values())) {
      Side side = link.of(node);
      if (side.node != node) {
        continue;
      }
      side.open = false;
      side.dialled = false;
      if (link.opposite(side).open && !isCut(node, link.opposite(side).node)) {
        long last = Math.max(side.lastArrivalNanos[0], side.lastArrivalNanos[1]);
        resetAfterDelay(link, side, orderly ? last - agenda.now() : 0);
      }
    }
    review();
  }

  private void resetAfterDelay(Link link, Side from, long leastNanos) {
    Side to = link.opposite(from);
    int standing = to.openedAs;
    long delay = Math.max(leastNanos + 1, delayNanos(from.node.host, to.node.host));
    agenda.after(
        delay,
        () -> {
          if (to.open && to.openedAs == standing && !isCut(from.node, to.node)) {
            lose(link, to);
            review();
          }
        });
  }

  private void lose(Link link, Side side) {
    side.open = false;
    side.dialled = false;
    Node other = link.opposite(side).node;
    boolean stable = standsForNanos(side.node, other) >= Dials.STABLE_NANOS;
    swarm.enter(side.node, other.number, () -> side.node.lost(other, stable));
  }
}
