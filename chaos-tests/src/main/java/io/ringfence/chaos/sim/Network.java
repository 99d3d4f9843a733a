package io.ringfence.chaos.sim;

import io.ringfence.chaos.virtual.Agenda;
import io.ringfence.chaos.virtual.Story;
import io.ringfence.engine.message.PeerMessage;
import io.ringfence.membership.MemberId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Carries messages between simulated processes, and fails as the scenario says.
 *
 * <p>As in the peer protocol, each ordered pair of processes has two ways: one for questions, one
 * for answers. A way keeps its order, so one late message holds up those behind it; the two ways
 * overtake each other. A way that is cut swallows what is sent into it. A reset loses what is under
 * way and lets nothing be sent until the pair is connected again.
 */
final class Network {
  private final Agenda agenda;
  private final SplittableRandom fate;
  private final Rates rates;
  private final World world;
  private final Map<Long, Way> ways = new HashMap<>(); // by sender and receiver
  private final Map<Long, Link> links = new HashMap<>(); // by the two, the lower first
  private boolean faultless; // the load is over: nothing more goes wrong

  Network(Agenda agenda, SplittableRandom fate, Rates rates, World world) {
    this.agenda = agenda;
    this.fate = fate;
    this.rates = rates;
    this.world = world;
  }

  /** What the network asks of the world around it. */
  interface World {
    SimNode node(MemberId id);

    Witness witness();

    Coverage coverage();

    Story story();

    /** Delivers in a turn of the receiver, now or when it wakes up. */
    void deliver(SimNode from, SimNode to, PeerMessage message);
  }

  /** From one process to another. */
  private static final class Way {
    final long[] lastArrivalNanos = new long[2]; // of questions, of answers
    final List<Flight> flights = new ArrayList<>(); // sent, not arrived
    int cuts;
    int cutsBothWays; // how many of the cuts are
  }

  /** Between two processes. */
  private static final class Link {
    int generation; // grows with each reset; what was sent before is lost
    long downUntilNanos;
  }

  /** One message under way; compared by identity, as doubles are equal. */
  private static final class Flight {
    final PeerMessage message;
    final int generation;
    final boolean answer;

    Flight(PeerMessage message, int generation) {
      this.message = message;
      this.generation = generation;
      this.answer = Messages.isAnswer(message);
    }
  }

  private Way way(SimNode from, SimNode to) {
    return ways.computeIfAbsent(key(from.number, to.number), unused -> new Way());
  }

  private Link link(SimNode one, SimNode other) {
    int low = Math.min(one.number, other.number);
    int high = Math.max(one.number, other.number);
    return links.computeIfAbsent(key(low, high), unused -> new Link());
  }

  private static long key(int from, int to) {
    return ((long) from << 32) | to;
  }

  /** No message meets a fault from here on; cuts and resets end when they were to end. */
  void becomesFaultless() {
    faultless = true;
  }

  /** Sends, as the engine's port for it says. */
  boolean send(SimNode from, MemberId toId, PeerMessage message) {
    world.witness().sends(from, toId, message);
    SimNode to = world.node(toId);
    if (link(from, to).downUntilNanos > agenda.now()) {
      return refuse(from, toId, message, "not connected");
    }
    if (!faultless && chance(rates.turnedAway())) {
      met(FaultKind.TURNED_AWAY, message);
      return refuse(from, toId, message, "queue full");
    }
    Way way = way(from, to);
    if (way.cuts > 0) {
      met(way.cutsBothWays > 0 ? FaultKind.CUT_BOTH_WAYS : FaultKind.CUT_ONE_WAY, message);
      vanish(from, toId, message, "into the cut");
    } else if (!faultless && chance(rates.loss())) {
      met(FaultKind.LOSS, message);
      vanish(from, toId, message, "lost");
    } else {
      put(from, to, way, message);
      if (!faultless && chance(rates.duplicate())) {
        met(FaultKind.DUPLICATE, message);
        world.witness().disturbed(message);
        put(from, to, way, message);
      }
    }
    return true;
  }

  private boolean chance(double share) {
    return share > 0 && fate.nextDouble() < share;
  }

  private boolean refuse(SimNode from, MemberId to, PeerMessage message, String why) {
    world.witness().notSent(from, message);
    tell(from, to, message, why);
    return false;
  }

  private void vanish(SimNode from, MemberId to, PeerMessage message, String why) {
    world.witness().disturbed(message);
    tell(from, to, message, why);
  }

  private void tell(SimNode from, MemberId to, PeerMessage message, String what) {
    world
        .story()
        .add(() -> "%s -> %s  %s  %s".formatted(from, to.name(), Messages.tell(message), what));
  }

  private void put(SimNode from, SimNode to, Way way, PeerMessage message) {
    long nanos = rates.leastNanos() + fate.nextLong(rates.spreadNanos() + 1);
    String what = "sent";
    if (!faultless && chance(rates.late())) {
      met(FaultKind.LATE, message);
      world.witness().disturbed(message);
      nanos += fate.nextLong(3 * Scenario.DEADLINE_NANOS);
      what = "sent, late";
    }
    Flight flight = new Flight(message, link(from, to).generation);
    int lane = flight.answer ? 1 : 0;
    long arrival = Math.max(agenda.now() + nanos, way.lastArrivalNanos[lane] + 1);
    if (arrival > agenda.now() + rates.leastNanos() + rates.spreadNanos()) {
      world.witness().disturbed(message); // held up by what is before it
    }
    way.lastArrivalNanos[lane] = arrival;
    way.flights.add(flight);
    tell(from, to.id, message, what);
    agenda.at(arrival, () -> arrive(from, to, way, flight));
  }

  private void arrive(SimNode from, SimNode to, Way way, Flight flight) {
    if (way.flights.get(0).answer != flight.answer) {
      met(FaultKind.OVERTAKEN, way.flights.get(0).message);
    }
    way.flights.remove(flight);
    if (flight.generation != link(from, to).generation) {
      vanish(from, to.id, flight.message, "gone with its connection");
      return;
    }
    world.deliver(from, to, flight.message);
  }

  private void met(FaultKind fault, PeerMessage message) {
    Step step = Messages.stepOf(message);
    world.coverage().met(fault, step);
    if (step == Step.CANCEL) {
      world.coverage().met(fault, Step.CANCELLING);
      return;
    }
    Question question = world.witness().questionOf(message);
    Call call = question == null ? null : question.call;
    Step stands = call == null ? null : call.standsAt();
    if (stands != null) {
      world.coverage().met(fault, stands);
    }
  }

  /** A fault meets what is under way from or to a process. */
  void meets(FaultKind fault, SimNode node) {
    ways.forEach(
        (key, way) -> {
          if (key >> 32 == node.number || (key & 0xffff_ffffL) == node.number) {
            way.flights.forEach(flight -> metUnderWay(fault, flight));
          }
        });
  }

  private void metUnderWay(FaultKind fault, Flight flight) {
    Step step = Messages.stepOf(flight.message);
    world.coverage().met(fault, step);
    if (step == Step.CANCEL) {
      world.coverage().met(fault, Step.CANCELLING);
    }
  }

  /** Breaks the connections of two processes for a while. */
  void reset(SimNode one, SimNode other, long forNanos) {
    Link link = link(one, other);
    link.generation++;
    link.downUntilNanos = Math.max(link.downUntilNanos, agenda.now() + forNanos);
    way(one, other).flights.forEach(flight -> metUnderWay(FaultKind.RESET, flight));
    way(other, one).flights.forEach(flight -> metUnderWay(FaultKind.RESET, flight));
  }

  boolean connected(SimNode one, SimNode other) {
    return link(one, other).downUntilNanos <= agenda.now();
  }

  /** Cuts the way from one process to another for a while, and the way back where it says so. */
  void cut(SimNode from, SimNode to, boolean bothWays, long forNanos) {
    cutWay(from, to, bothWays, forNanos);
    if (bothWays) {
      cutWay(to, from, true, forNanos);
    }
  }

  private void cutWay(SimNode from, SimNode to, boolean bothWays, long forNanos) {
    Way way = way(from, to);
    way.cuts++;
    way.cutsBothWays += bothWays ? 1 : 0;
    FaultKind kind = bothWays ? FaultKind.CUT_BOTH_WAYS : FaultKind.CUT_ONE_WAY;
    way.flights.forEach(flight -> metUnderWay(kind, flight));
    agenda.after(
        forNanos,
        () -> {
          way.cuts = Math.max(0, way.cuts - 1);
          way.cutsBothWays = Math.max(0, way.cutsBothWays - (bothWays ? 1 : 0));
        });
  }
}
