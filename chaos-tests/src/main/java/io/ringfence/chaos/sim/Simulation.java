package io.ringfence.chaos.sim;

import io.ringfence.chaos.virtual.Agenda;
import io.ringfence.chaos.virtual.Findings;
import io.ringfence.chaos.virtual.Story;
import io.ringfence.engine.BoundsSettings;
import io.ringfence.engine.Check;
import io.ringfence.engine.Engine;
import io.ringfence.engine.EngineMetrics;
import io.ringfence.engine.EnginePorts;
import io.ringfence.engine.EngineSettings;
import io.ringfence.engine.FallbackMode;
import io.ringfence.engine.Timers;
import io.ringfence.engine.Verdict;
import io.ringfence.engine.VerdictListener;
import io.ringfence.engine.message.PeerMessage;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.View;
import io.ringfence.ring.Placement;
import io.ringfence.ring.Ring;
import io.ringfence.ring.RingNode;
import io.ringfence.rules.Ask;
import io.ringfence.rules.Rule;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * One run of one scenario: engines, clocks and network in one thread, on virtual time.
 *
 * <p>Whatever enters an engine does so in a turn. A frozen node takes no turns: its frames, timers
 * and callers wait, and are served at the instant at which it wakes, in an order that the seed
 * picks. The load over and the last fault past, nothing goes wrong any more, and after a while in
 * which everything must have come to rest the {@link Afterwards} look at what is left.
 *
 * <p>The same seed gives the same run, message by message, on every machine.
 */
final class Simulation implements Network.World {
  private static final long REST_NANOS = 150_000_000;
  private static final long FIRST_INCARNATION = 0x1000; // unlike any number of a message
  private static final long SKEW_NANOS = 40_000_000;

  final Agenda agenda = new Agenda();
  final Scenario scenario;
  private final Story story;
  final Findings findings;
  private final Coverage coverage = new Coverage();
  final Witness witness;
  private final Network network;
  private final SplittableRandom fate;
  private final List<SimNode> nodes = new ArrayList<>(); // nodes[i] has the number i

  private Simulation(Scenario scenario, boolean told) {
    this.scenario = scenario;
    this.story = new Story(agenda, told);
    this.findings = new Findings(agenda, story);
    this.fate = new SplittableRandom(~scenario.seed());
    this.witness = new Witness(agenda, findings, scenario);
    this.network = new Network(agenda, fate.split(), scenario.rates(), this);
  }

  /** Runs one seed; its story is written only if it is to be told. */
  static Outcome run(long seed, boolean told) {
    Scenario scenario = Scenarios.of(seed);
    Simulation simulation = new Simulation(scenario, told);
    simulation.run();
    return new Outcome(
        seed,
        scenario.kind(),
        simulation.findings.all(),
        simulation.story.lines(),
        simulation.coverage,
        simulation.witness.calls().size());
  }

  private void run() {
    story.add(() -> Prologue.of(scenario));
    startAll();
    scenario.calls().forEach(call -> agenda.at(call.atNanos(), () -> call(call)));
    Faults faults = new Faults();
    scenario.faults().forEach(fault -> agenda.at(fault.atNanos(), () -> faults.happen(fault)));
    passUntil(Math.max(lastCallNanos(), faults.overNanos()));
    network.becomesFaultless();
    pass(REST_NANOS);
    if (findings.none()) {
      new Afterwards(this).look();
    }
  }

  private long lastCallNanos() {
    return scenario.calls().get(scenario.calls().size() - 1).atNanos();
  }

  void pass(long nanos) {
    passUntil(agenda.now() + nanos);
  }

  private void passUntil(long untilNanos) {
    boolean more = true;
    while (more && findings.none()) {
      more = agenda.runNext(untilNanos);
    }
  }

  List<SimNode> nodes() {
    return nodes;
  }

  private void startAll() {
    Placement placement = new Placement(scenario.ring());
    List<RingNode> names =
        IntStream.range(0, scenario.nodes()).mapToObj(i -> new RingNode(nameOf(i), 1)).toList();
    Ring ring = Ring.of(scenario.ring(), names);
    for (int number = 0; number < scenario.nodes(); number++) {
      long skew = fate.nextLong(-SKEW_NANOS, SKEW_NANOS);
      NodeClock clock = new NodeClock(agenda, fate.nextLong(1_000_000_000_000L), skew);
      MemberId id = new MemberId(nameOf(number), FIRST_INCARNATION + number);
      nodes.add(new SimNode(id, number, clock, placement, ring));
    }
    nodes.forEach(this::start);
    View founding = Views.founding(nodes);
    for (SimNode node : nodes) {
      turn(
          node,
          () -> {
            node.engine().install(founding);
            node.engine().departuresOver(founding.stamp());
          });
    }
  }

  private static String nameOf(int number) {
    return "n" + (number + 1);
  }

  private void start(SimNode made) {
    Timers timers = (delayNanos, task) -> setTimer(made, delayNanos, task);
    EnginePorts ports =
        new EnginePorts(
            made.clock,
            timers,
            (to, message) -> network.send(made, to, message),
            metrics(made),
            now -> made.probed || made.mayDecide(agenda.now()));
    EngineSettings settings =
        new EngineSettings(
            made.id,
            scenario.ring(),
            Scenario.FORWARD,
            Scenario.REPLICATION,
            BoundsSettings.DEFAULT);
    Engine engine = new Engine(settings, scenario.rules(), ports);
    made.runs(engine);
    turn(made, engine::start);
  }

  private EngineMetrics metrics(SimNode node) {
    return new EngineMetrics() {
      @Override
      public void checked(Verdict verdict, Passage passage) {
        node.lastPath = passage.path();
      }

      @Override
      public void fallback(Rule rule, FallbackMode mode, boolean allowed) {
        node.byPolicy.add(rule);
      }

      @Override
      public void defect(String part) {
        findings.broken(Invariant.NO_DEFECT, "a defect in " + part);
      }

      @Override
      public void overflow(String bound) {
        findings.broken(Invariant.NO_DEFECT, "the bound of " + bound + " was met");
      }
    };
  }

  private void setTimer(SimNode node, long delayNanos, Runnable task) {
    node.timers++;
    Runnable run =
        () -> {
          node.timers--;
          task.run();
        };
    agenda.after(delayNanos, () -> turnOrWait(node, node.dueTimers, run));
  }

  private void turnOrWait(SimNode node, Deque<Runnable> waiting, Runnable task) {
    if (node.isFrozen(agenda.now())) {
      waiting.add(task);
    } else {
      turn(node, task);
    }
  }

  /** Enters an engine, and looks at what it did. */
  private void turn(SimNode node, Runnable task) {
    if (!findings.none()) {
      return;
    }
    try {
      task.run();
    } catch (RuntimeException | AssertionError thrown) {
      findings.broken(Invariant.NO_DEFECT, "%s threw %s".formatted(node, thrown));
    }
    witness.turnEnds(node);
  }

  private void call(PlannedCall plan) {
    SimNode node = nodes.get(plan.node());
    turnOrWait(node, node.calls, () -> begin(node, plan));
  }

  /** A call of a caller at that node, which must be in its turn. */
  private Call begin(SimNode node, PlannedCall plan) {
    List<Ask> asks = scenario.rules().applicable(plan.request(), plan.cost()).asks();
    Call call = new Call(witness.calls().size() + 1, node, plan, asks, agenda.now());
    story.add(() -> "%s  %s".formatted(node, Prologue.of(call)));
    witness.began(call);
    Check check = new Check(plan.request(), plan.cost(), plan.requestId());
    VerdictListener listener = verdict -> answered(call, verdict);
    Engine engine = node.engine();
    switch (plan.mode()) {
      case PEEK -> engine.peek(check, listener);
      case REFUND -> engine.refund(check, listener);
      case RESET -> engine.reset(check, listener);
      case DEBIT -> engine.debit(check, listener);
      case CHARGE, TENTATIVE -> engine.check(check, listener);
      case LATE, RECOVER -> throw new IllegalArgumentException("no caller asks " + plan.mode());
    }
    return call;
  }

  /** A peek that is no part of the load. */
  Call peek(SimNode node, PlannedCall plan) {
    List<Call> begun = new ArrayList<>(1);
    turn(node, () -> begun.add(begin(node, plan)));
    return begun.get(0);
  }

  private void answered(Call call, Verdict verdict) {
    story.add(() -> "%s  %s".formatted(call.node, Prologue.of(call, verdict)));
    witness.answered(call, verdict);
  }

  @Override
  public void deliver(SimNode from, SimNode to, PeerMessage message) {
    if (to.isFrozen(agenda.now())) {
      witness.disturbed(message);
    }
    turnOrWait(to, to.frames, () -> receive(from, to, message));
  }

  private void receive(SimNode from, SimNode to, PeerMessage message) {
    story.add(() -> "%s <- %s  %s".formatted(to, from, Messages.tell(message)));
    witness.receives(to, from, message);
    to.engine().received(from.id, message);
  }

  @Override
  public SimNode node(MemberId id) {
    return nodes.stream().filter(node -> node.id.equals(id)).findFirst().orElseThrow();
  }

  @Override
  public Witness witness() {
    return witness;
  }

  @Override
  public Coverage coverage() {
    return coverage;
  }

  @Override
  public Story story() {
    return story;
  }

  /** Does to the cluster what the scenario says. */
  private final class Faults {

    /** By when the last fault is past. */
    long overNanos() {
      long over = 0;
      for (Fault fault : scenario.faults()) {
        over = Math.max(over, fault.atNanos() + lastsNanos(fault));
      }
      return over;
    }

    private long lastsNanos(Fault fault) {
      if (fault instanceof Fault.Freeze freeze) {
        return freeze.forNanos();
      } else if (fault instanceof Fault.Lapse lapse) {
        return lapse.forNanos();
      } else if (fault instanceof Fault.Reset reset) {
        return reset.forNanos();
      } else if (fault instanceof Fault.Cut cut) {
        return cut.forNanos();
      }
      return 0;
    }

    void happen(Fault fault) {
      story.add(() -> "**  " + Prologue.of(fault));
      if (fault instanceof Fault.Freeze freeze) {
        freeze(nodes.get(freeze.node()), freeze.forNanos());
      } else if (fault instanceof Fault.Lapse lapse) {
        lapse(nodes.get(lapse.node()), lapse.forNanos());
      } else if (fault instanceof Fault.Reset reset) {
        reset(nodes.get(reset.one()), nodes.get(reset.other()), reset.forNanos());
      } else if (fault instanceof Fault.Cut cut) {
        cut(nodes.get(cut.from()), nodes.get(cut.to()), cut);
      } else if (fault instanceof Fault.ClockSet set) {
        meetsCallers(FaultKind.CLOCK_SET, nodes.get(set.node()));
        nodes.get(set.node()).clock.systemClockSet(set.byNanos());
      }
    }

    private void meetsCallers(FaultKind kind, SimNode node) {
      for (Call call : witness.pendingAt(node)) {
        Step stands = call.standsAt();
        if (stands != null) {
          coverage.met(kind, stands);
        }
      }
      for (long held = witness.heldAt(node); held > 0; held--) {
        coverage.met(kind, Step.PARKED_AT_OWNER);
      }
    }

    private void freeze(SimNode node, long forNanos) {
      meetsCallers(FaultKind.FREEZE, node);
      network.meets(FaultKind.FREEZE, node);
      witness.froze(node);
      node.frozenUntilNanos = Math.max(node.frozenUntilNanos, agenda.now() + forNanos);
      agenda.after(forNanos, () -> wake(node));
    }

    private void lapse(SimNode node, long forNanos) {
      meetsCallers(FaultKind.LAPSE, node);
      network.meets(FaultKind.LAPSE, node);
      node.lapses(agenda.now(), agenda.now() + forNanos);
      agenda.after(forNanos, () -> turnOrWait(node, node.frames, () -> leaseGained(node)));
    }

    private void leaseGained(SimNode node) {
      if (node.mayDecide(agenda.now())) {
        story.add(() -> "**  " + node + " has a lease again");
        witness.leaseGains();
        node.engine().leaseGained();
        witness.leaseGained(node);
      }
    }

    private void wake(SimNode node) {
      if (node.isFrozen(agenda.now())) {
        return;
      }
      story.add(() -> "**  " + node + " goes on");
      node.wokeNanos = agenda.now();
      witness.froze(node);
      boolean framesFirst = fate.nextBoolean();
      List<Runnable> waited = new ArrayList<>(framesFirst ? node.frames : node.dueTimers);
      waited.addAll(framesFirst ? node.dueTimers : node.frames);
      node.frames.clear();
      node.dueTimers.clear();
      waited.forEach(task -> turn(node, task));
      long at = agenda.now();
      for (Runnable call : node.calls) {
        at += Scenario.CALL_GRID_NANOS;
        agenda.at(at, () -> turnOrWait(node, node.calls, call));
      }
      node.calls.clear();
    }

    private void reset(SimNode one, SimNode other, long forNanos) {
      meetsCallers(FaultKind.RESET, one);
      meetsCallers(FaultKind.RESET, other);
      network.reset(one, other, forNanos);
      disconnect(one, other);
      disconnect(other, one);
      agenda.after(forNanos, () -> connect(one, other));
    }

    private void disconnect(SimNode node, SimNode peer) {
      turnOrWait(
          node,
          node.frames,
          () -> {
            witness.disconnected(node, peer.id);
            node.engine().disconnected(peer.id);
          });
    }

    private void connect(SimNode one, SimNode other) {
      if (network.connected(one, other)) {
        turnOrWait(one, one.frames, () -> connected(one, other));
        turnOrWait(other, other.frames, () -> connected(other, one));
      }
    }

    private void connected(SimNode node, SimNode peer) {
      witness.connected(node, peer.id);
      node.engine().connected(peer.id);
    }

    private void cut(SimNode from, SimNode to, Fault.Cut cut) {
      FaultKind kind = cut.bothWays() ? FaultKind.CUT_BOTH_WAYS : FaultKind.CUT_ONE_WAY;
      meetsCallers(kind, from);
      meetsCallers(kind, to);
      network.cut(from, to, cut.bothWays(), cut.forNanos());
    }
  }
}
