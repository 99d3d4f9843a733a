package io.ringfence.engine;

import io.ringfence.engine.message.AnswerMessage;
import io.ringfence.engine.message.CancelMessage;
import io.ringfence.engine.message.CheckMessage;
import io.ringfence.engine.message.InventoryMessage;
import io.ringfence.engine.message.NotOwnerMessage;
import io.ringfence.engine.message.PeerMessage;
import io.ringfence.engine.message.RefusalMessage;
import io.ringfence.membership.Member;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.View;
import io.ringfence.rules.Action;
import io.ringfence.rules.Ask;
import io.ringfence.rules.Request;
import io.ringfence.rules.Rule;
import io.ringfence.rules.RuleSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine of one node: rules to counters, decide here or ask the owner, degrade where it does
 * not answer.
 *
 * <p>It has no thread and no socket of its own: checks come through {@link Limiter}, messages of
 * other members through {@link #received}, views through {@link #install}; everything else is a
 * port. All methods may be called from any thread and none blocks.
 *
 * <p>Until a node is in a view it owns nothing, and every check is answered by the failure policy
 * of its rules.
 */
public final class Engine implements Limiter {
  private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

  /** All slots are swept in so many turns of {@link #SWEEP_NANOS}: every five seconds. */
  private static final int SWEEP_TURNS = 50;

  private static final long SWEEP_NANOS = 100_000_000L;

  private final EngineSettings settings;
  private final EnginePorts ports;
  private final Core core;
  private final Map<MemberId, PeerCalls> calls = new ConcurrentHashMap<>();
  private final Map<MemberId, String> rulesVersions = new ConcurrentHashMap<>();
  private final AtomicLong localIds = new AtomicLong();
  private final AtomicBoolean defectLogged = new AtomicBoolean();
  private final Parking parking; // checks that arrived here

  private volatile RuleSet rules;
  private volatile int knownNodes = 1; // members of the current or the last view, at least 1
  private volatile boolean running;

  /** An engine that is in no view yet. */
  public Engine(EngineSettings settings, RuleSet rules, EnginePorts ports) {
    this.settings = settings;
    this.rules = rules;
    this.ports = ports;
    this.parking = new Parking(ports);
    this.core = new Core();
  }

  /** Starts the sweep of idle counters, which goes on until {@link #stop}. */
  public void start() {
    running = true;
    ports.timers().after(SWEEP_NANOS, this::sweep);
  }

  /** Ends the sweep. */
  public void stop() {
    running = false;
  }

  @Override
  public void check(Check check, VerdictListener listener) {
    inquire(check, true, listener);
  }

  @Override
  public void peek(Check check, VerdictListener listener) {
    inquire(check, false, listener);
  }

  @Override
  public Placed place(Request request) {
    boolean clientAlone = request.path() == null && request.tier() == null;
    List<Ask> asks =
        clientAlone && request.attributes().isEmpty()
            ? List.of()
            : rules.applicable(request, 1).asks();
    Ask.Place place =
        asks.isEmpty() ? new Ask.Place(Ask.Place.CLIENT, request.client()) : asks.get(0).place();
    int slot = core.slots.slotOf(place);
    Topology topology = core.ownership.topology();
    if (topology == null || topology.ring().isEmpty()) {
      return new Placed(slot, null, null, 0);
    }
    return new Placed(
        slot,
        topology.ring().ownerOf(slot),
        topology.ring().backupOf(slot),
        topology.view().epoch());
  }

  @Override
  public RuleSet rules() {
    return rules;
  }

  @Override
  public ClusterStatus cluster() {
    Topology topology = core.ownership.topology();
    String version = rules.version();
    String name = settings.self().name();
    if (topology == null) {
      return new ClusterStatus(name, 0, List.of(), version, true);
    }
    List<ClusterStatus.MemberShare> shares =
        topology.view().members().stream().map(member -> share(member, topology)).toList();
    return new ClusterStatus(name, topology.view().epoch(), shares, version, degraded());
  }

  /** How many counters this node holds. */
  public long keys() {
    return core.slots.size();
  }

  /** For how many other members this node keeps calls and a breaker. */
  int peersKnown() {
    return calls.size();
  }

  /** The epoch of this node's view, 0 without one. */
  public long epoch() {
    Topology topology = core.ownership.topology();
    return topology == null ? 0 : topology.view().epoch();
  }

  /** Whether some checks are being answered by failure policies: no view, or an open breaker. */
  public boolean degraded() {
    return core.ownership.topology() == null
        || calls.values().stream().anyMatch(PeerCalls::breakerOpen);
  }

  /** Makes a view the one that this node goes by, and opens and closes slots accordingly. */
  public void install(View view) {
    Topology installed = core.ownership.install(view);
    knownNodes = view.members().size();
    calls.forEach(
        (member, departed) -> {
          if (!view.contains(member) && calls.remove(member, departed)) {
            departed.disconnected();
          }
        });
    rulesVersions.keySet().removeIf(member -> !view.contains(member));
    core.desk.installed(installed);
    parking.installed(installed.name());
  }

  /** This node is in no view any more: it decides nothing until the next one. */
  public void leaveView() {
    core.ownership.leave();
  }

  /** Makes other rules the ones in force. What live counters have used stays used. */
  public void install(RuleSet newRules) {
    rules = newRules;
    core.fallback.rulesChanged();
  }

  /** A message of another member that has proved itself. */
  public void received(MemberId from, PeerMessage message) {
    if (message instanceof CheckMessage check) {
      serve(from, check);
    } else if (message instanceof AnswerMessage answer) {
      answered(from, answer.id(), call -> call.answered(answer.answers()));
    } else if (message instanceof NotOwnerMessage notOwner) {
      answered(from, notOwner.id(), call -> call.notOwner(notOwner.view()));
    } else if (message instanceof RefusalMessage refusal) {
      answered(from, refusal.id(), call -> call.failed(CallOutcome.Failure.REFUSED));
    } else if (message instanceof CancelMessage cancel) {
      core.desk.cancel(from, cancel.checkId());
    } else if (message instanceof InventoryMessage inventory) {
      core.ownership.inventory(from, inventory);
    } else {
      throw new IllegalArgumentException("not for the engine: " + message);
    }
  }

  /** A member said which rules it has. */
  public void reported(MemberId member, String rulesVersion) {
    Topology topology = core.ownership.topology();
    if (topology != null && topology.view().contains(member)) {
      rulesVersions.put(member, rulesVersion);
    }
  }

  /** A connection to a member stands. */
  public void connected(MemberId member) {
    PeerCalls known = calls.get(member);
    if (known != null) {
      known.connected();
    }
  }

  /** The last connection to a member is lost. */
  public void disconnected(MemberId member) {
    PeerCalls known = calls.get(member);
    if (known != null) {
      known.disconnected();
    }
  }

  private void serve(MemberId from, CheckMessage check) {
    try {
      core.desk.serve(from, check, rules, core);
    } catch (RuntimeException defect) {
      core.defect(defect);
      ports.transport().send(from, new RefusalMessage(check.id(), RefusalMessage.Reason.DEFECT));
    }
  }

  private void answered(MemberId from, long id, Consumer<CallOutcome> tell) {
    PeerCalls known = calls.get(from);
    if (known != null) {
      known.answered(id, tell);
    }
  }

  private void inquire(Check check, boolean charge, VerdictListener listener) {
    long start = ports.clock().elapsedNanos();
    RuleSet.Applicable applicable;
    try {
      applicable = rules.applicable(check.request(), check.cost());
    } catch (RuntimeException defect) {
      // No rule is known, so no rule's policy is: the limiter must not take its host down.
      core.defect(defect);
      listener.verdict(new Verdict(true, Certainty.DEGRADED, null, List.of(), null));
      return;
    }
    Rule shortcut = applicable.shortcut();
    if (shortcut != null || applicable.asks().isEmpty()) {
      boolean allowed = shortcut == null || shortcut.effect().action() != Action.DENY;
      Verdict verdict = new Verdict(allowed, Certainty.EXACT, null, List.of(), shortcut);
      if (charge) {
        long latency = ports.clock().elapsedNanos() - start;
        ports.metrics().checked(verdict, EngineMetrics.Path.LOCAL, latency);
      }
      listener.verdict(verdict);
      return;
    }
    new Inquiry(core, applicable.asks(), charge, start, listener).start();
  }

  private ClusterStatus.MemberShare share(Member member, Topology topology) {
    String version =
        member.id().equals(settings.self())
            ? rules.version()
            : rulesVersions.getOrDefault(member.id(), "");
    int slots = member.inBase() ? topology.ring().slotsOf(member.name()) : 0;
    return new ClusterStatus.MemberShare(member, slots, version);
  }

  private void sweep() {
    if (!running) {
      return;
    }
    try {
      sweepOnce();
    } catch (RuntimeException defect) {
      core.defect(defect);
    }
    ports.timers().after(SWEEP_NANOS, this::sweep);
  }

  /** One turn of the sweep. */
  void sweepOnce() {
    Moment now = Moment.of(ports.clock());
    core.slots.sweep(SWEEP_TURNS, now);
    core.fallback.sweep(SWEEP_TURNS, now);
  }

  /** The parts of the engine, as a check on its way sees them. */
  private final class Core implements EngineCore, Routing {
    private final Slots slots = new Slots(settings.ring(), settings.bounds().keys());
    private final Desk desk =
        new Desk(
            settings.self(), slots, new TentativeCharges(ports.clock(), ports.metrics()), ports);
    private final Fallback fallback = new Fallback(settings.ring(), settings.bounds(), ports);
    private final Ownership ownership =
        new Ownership(settings.self(), settings.ring(), slots, ports);

    @Override
    public MemberId self() {
      return settings.self();
    }

    @Override
    public EnginePorts ports() {
      return ports;
    }

    @Override
    public ForwardSettings forward() {
      return settings.forward();
    }

    @Override
    public Routing routing() {
      return this;
    }

    @Override
    public @Nullable Topology topology() {
      return ownership.topology();
    }

    @Override
    public RuleSet rules() {
      return rules;
    }

    @Override
    public Slots slots() {
      return slots;
    }

    @Override
    public Desk desk() {
      return desk;
    }

    @Override
    public Fallback fallback() {
      return fallback;
    }

    @Override
    public PeerCalls callsTo(MemberId member) {
      return calls.computeIfAbsent(member, m -> new PeerCalls(m, ports, settings.forward()));
    }

    @Override
    public boolean park(Parking.Parked check) {
      return parking.park(check);
    }

    @Override
    public int knownNodes() {
      return knownNodes;
    }

    @Override
    public void defect(RuntimeException defect) {
      ports.metrics().defect("engine");
      if (defectLogged.compareAndSet(false, true)) {
        LOG.error("a defect; rules answer as they do for an owner that does not answer", defect);
      }
    }

    @Override
    public long nextLocalId() {
      return localIds.incrementAndGet();
    }
  }
}
