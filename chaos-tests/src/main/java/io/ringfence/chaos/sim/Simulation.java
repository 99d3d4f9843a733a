package io.ringfence.chaos.sim;

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
import io.ringfence.engine.message.ViewMessage;
import io.ringfence.engine.message.ViewRequest;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.View;
import io.ringfence.rules.Ask;
import io.ringfence.rules.Rule;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

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
  private final Map<MemberId, SimNode> processes = new HashMap<>();
  private final List<SimNode> nodes = new ArrayList<>(); // nodes[i] is the newest process of node i
  private final Views views = new Views();

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
    for (int node = 0; node < scenario.nodes(); node++) {
      nodes.add(start(node));
    }
    View founding = views.next(nodes.subList(0, scenario.founders()));
    for (SimNode node : nodes.subList(0, scenario.founders())) {
      turn(node, () -> install(node, founding));
    }
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

  /** The newest processes of all nodes, crashed ones left out. */
  List<SimNode> living() {
    return nodes.stream().filter(node -> !node.crashed).toList();
  }

  private SimNode start(int node) {
    int process = processes.size();
    long skew = fate.nextLong(-SKEW_NANOS, SKEW_NANOS);
    NodeClock clock = new NodeClock(agenda, fate.nextLong(1_000_000_000_000L), skew);
    MemberId id = new MemberId("n" + (node + 1), FIRST_INCARNATION + process);
    SimNode made = new SimNode(id, process, clock, scenario.ring());
    processes.put(id, made);
    Timers timers = (delayNanos, task) -> setTimer(made, delayNanos, task);
    EnginePorts ports =
        new EnginePorts(
            clock,
            timers,
            (to, message) -> network.send(made, to, message),
            metrics(made),
            now -> made.probed || made.mayDecide(agenda.now()));
    EngineSettings settings =
        new EngineSettings(id, scenario.ring(), Scenario.FORWARD, BoundsSettings.DEFAULT);
    Engine engine = new Engine(settings, scenario.rules(), ports);
    made.runs(engine);
    turn(made, engine::start);
    return made;
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
    if (node.crashed || !findings.none()) {
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

  private void install(SimNode node, View view) {
    View known = node.view;
    if (known != null && !view.name().isAfter(known.name())) {
      return;
    }
    story.add(() -> "%s  goes by view %d".formatted(node, view.epoch()));
    node.goesBy(view, agenda.now());
    witness.viewChanges(node, view);
    if (node.inView()) {
      node.engine().install(view);
      witness.viewChanged(node, view);
    } else {
      node.engine().leaveView();
    }
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
    if (message instanceof ViewMessage view) {
      install(to, view.view());
    } else if (message instanceof ViewRequest) {
      View view = to.view;
      if (view != null) {
        network.send(to, from.id, new ViewMessage(view));
      }
    } else {
      boolean late = to.view != null && to.view.epoch() < views.epoch();
      witness.receives(to, from.id, message);
      to.engine().received(from.id, message);
      if (late) {
        metByLateView(message);
      }
    }
  }

  private void metByLateView(PeerMessage message) {
    Step step = Messages.stepOf(message);
    coverage.met(FaultKind.LATE_VIEW, step);
    Question question = witness.questionOf(message);
    Step stands =
        step == Step.CANCEL ? Step.CANCELLING : question == null ? null : standsAt(question);
    if (stands != null) {
      coverage.met(FaultKind.LATE_VIEW, stands);
    }
  }

  private @Nullable Step standsAt(Question question) {
    if (witness.isHeld(question)) {
      return Step.PARKED_AT_OWNER;
    }
    return question.call == null ? null : question.call.standsAt();
  }

  @Override
  public Function<MemberId, @Nullable SimNode> processes() {
    return processes::get;
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
      } else if (fault instanceof Fault.ViewChange change) {
        return change.latenessNanos().stream().mapToLong(Long::longValue).max().orElse(0);
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
      } else if (fault instanceof Fault.Crash crash) {
        crash(nodes.get(crash.node()));
      } else if (fault instanceof Fault.ViewChange change) {
        change(change);
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
      if (node.isFrozen(agenda.now()) || node.crashed) {
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
      if (one.crashed || other.crashed) {
        return;
      }
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

    private void crash(SimNode node) {
      meetsCallers(FaultKind.CRASH, node);
      network.meets(FaultKind.CRASH, node);
      node.crashed = true;
      for (SimNode other : living()) {
        agenda.after(fate.nextLong(3_000_000), () -> disconnect(other, node));
      }
    }

    private void change(Fault.ViewChange change) {
      if (change.reborn() >= 0) {
        nodes.set(change.reborn(), start(change.reborn()));
      }
      View view = views.next(change.members().stream().map(nodes::get).toList());
      story.add(() -> "**  " + view);
      for (int i = 0; i < nodes.size(); i++) {
        SimNode node = nodes.get(i);
        long lateness = change.latenessNanos().get(i);
        boolean concerned = view.contains(node.id) || node.view != null;
        if (concerned && !node.crashed) {
          agenda.after(lateness, () -> turnOrWait(node, node.frames, () -> install(node, view)));
        }
      }
    }
  }
}
