package io.ringfence.chaos.swarm;

import io.ringfence.engine.BoundsSettings;
import io.ringfence.engine.Engine;
import io.ringfence.engine.EngineMetrics;
import io.ringfence.engine.EnginePorts;
import io.ringfence.engine.EngineSettings;
import io.ringfence.engine.Relay;
import io.ringfence.engine.ReplicationSettings;
import io.ringfence.engine.message.PeerMessage;
import io.ringfence.membership.Address;
import io.ringfence.membership.Candidate;
import io.ringfence.membership.Introduction;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.View;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** One simulated process: the engine and the keeper of its view, and what the world does to it. */
final class Node {
  /** How closely copies follow. */
  static final ReplicationSettings REPLICATION = ReplicationSettings.DEFAULT;

  private static final int FIRST_PORT = 7_000;
  private static final long TICK_NANOS = 10_000_000;

  final Swarm swarm;
  final MemberId id;
  final int number; // from 0 in the order of starting; no two processes of a run share it
  final int host; // the machine, with its name and address; one process at a time runs there
  final ProcessClock clock;
  final Engine engine;
  final Glue glue;
  final Relay relay;
  final Waiting waiting = new Waiting();
  private final Introduction facts;
  private final Dials dials;

  long slotsHeld; // the open ones, as of its last turn
  long wokeNanos; // when it last went on after a stop
  boolean crashed; // ended by a kill
  boolean toLeave; // was told to leave, whether or not it has got to that
  private boolean ended; // nothing runs here any more; never cleared
  private int stops; // stopped while above 0

  Node(Swarm swarm, MemberId id, int number, int host, SplittableRandom chance) {
    this.swarm = swarm;
    this.id = id;
    this.number = number;
    this.host = host;
    this.clock = swarm.setup.clock(swarm.agenda, chance);
    this.facts = new Introduction(id, addressOf(host), new Address("127.0.0.1", 8_000), 1);
    this.dials = new Dials(swarm, this, chance.split());
    this.relay = new Relay(id, links(), clock::elapsedNanos);
    this.glue = new Glue(this, facts, chance.split());
    EngineSettings settings =
        new EngineSettings(
            id, swarm.setup.ring(), Setup.FORWARD, REPLICATION, BoundsSettings.DEFAULT);
    EnginePorts ports = new EnginePorts(clock, this::after, relay, metrics(), glue::mayDecide);
    this.engine = new Engine(settings, swarm.rules, ports);
  }

  static Address addressOf(int host) {
    return new Address("127.0.0.1", FIRST_PORT + host);
  }

  static int hostOf(Address address) {
    return address.port() - FIRST_PORT;
  }

  private Relay.Direct links() {
    return new Relay.Direct() {
      @Override
      public boolean send(MemberId to, PeerMessage message) {
        return swarm.network.send(Node.this, to, message);
      }

      @Override
      public boolean isConnected(MemberId member) {
        return swarm.network.isOpen(Node.this, member);
      }

      @Override
      public void disconnect(MemberId member) {
        swarm.network.disconnect(Node.this, member);
      }
    };
  }

  private EngineMetrics metrics() {
    return new EngineMetrics() {
      @Override
      public void defect(String part) {
        swarm.findings.broken(Invariant.NO_DEFECT, "a defect in the %s of %s".formatted(part, id));
      }

      @Override
      public void overflow(String bound) {
        swarm.findings.broken(
            Invariant.NO_DEFECT, "the bound of %s was met at %s".formatted(bound, id));
      }
    };
  }

  /** A timer of this process, on its own clock. */
  private void after(long delayNanos, Runnable task) {
    swarm.agenda.after(
        clock.virtualNanos(delayNanos), () -> swarm.enter(this, Waiting.TIMERS, task));
  }

  /** Starts; in a turn. */
  void start() {
    engine.start();
    tick();
  }

  private void tick() {
    after(TICK_NANOS, this::tick);
    glue.tick();
  }

  boolean isStopped() {
    return stops > 0 && !ended;
  }

  boolean hasEnded() {
    return ended;
  }

  void stop() {
    stops++;
  }

  /** Lets it go on once nothing stops it any more; tells whether it does. */
  boolean goOn() {
    stops--;
    return stops == 0 && !ended;
  }

  /** Nothing runs here from now on. */
  void end(boolean byKill) {
    ended = true;
    crashed = byKill;
    engine.stop();
    slotsHeld = 0;
  }

  /** The slots that are open here now. */
  long holds() {
    long held = 0;
    for (int slot = swarm.setup.ring().slots() - 1; slot >= 0; slot--) {
      held = (held << 1) | (engine.holds(slot) ? 1 : 0);
    }
    return held;
  }

  boolean mayDecide() {
    return !ended && glue.mayDecide(clock.elapsedNanos());
  }

  @Nullable View view() {
    return glue.keeper.current();
  }

  // What the network tells, in turns.

  void receive(Node from, PeerMessage message) {
    if (Frames.isTold(message)) {
      swarm.story.add(() -> "%s <- %s  %s".formatted(this, from, Frames.tell(message)));
    }
    glue.message(from.id, message);
  }

  /** This process dialled that one and proved it. */
  void authenticated(Node there) {
    swarm.story.add(() -> "%s is connected with %s".formatted(this, there));
    glue.authenticated(there.facts, there.view());
  }

  /** That one dialled this process. */
  void met(MemberId other) {
    dials.met(other);
  }

  void lost(Node other, boolean stable) {
    swarm.story.add(() -> "%s loses its link with %s".formatted(this, other));
    glue.disconnected(other.id);
    dials.lost(other.id, stable);
  }

  void unreachable(MemberId other) {
    glue.unreachable(other);
  }

  void died(MemberId other) {
    glue.died(other);
  }

  void connectTo(List<Candidate> wanted) {
    dials.connectTo(wanted);
  }

  Candidate asCandidate() {
    return new Candidate(id, facts.peer());
  }

  /** How it stands, in a line. */
  String tell() {
    View view = view();
    boolean done = view != null && engine.isDone(view.stamp());
    return "%s%s%s%s%s holds slots %s in %s"
        .formatted(
            this,
            isStopped() ? ", stopped" : "",
            mayDecide() ? ", with a lease" : "",
            engine.degraded() ? ", degraded" : "",
            done ? ", done," : ", not done,",
            Watch.slots(slotsHeld),
            view);
  }

  @Override
  public String toString() {
    return id.name() + "/" + number;
  }
}
