package io.ringfence.engine;

import io.ringfence.engine.Question.Intent;
import io.ringfence.engine.message.AnswerMessage;
import io.ringfence.engine.message.CancelMessage;
import io.ringfence.engine.message.CheckMessage;
import io.ringfence.engine.message.Deed;
import io.ringfence.engine.message.LiftMessage;
import io.ringfence.engine.message.LiftMessage.Lifted;
import io.ringfence.engine.message.LiftedMessage;
import io.ringfence.engine.message.NotOwnerMessage;
import io.ringfence.engine.message.PeerMessage;
import io.ringfence.engine.message.RefusalMessage;
import io.ringfence.engine.message.SlotMessage;
import io.ringfence.engine.message.UsageAnswerMessage;
import io.ringfence.engine.message.UsageMessage;
import io.ringfence.membership.Member;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.View;
import io.ringfence.membership.ViewStamp;
import io.ringfence.rules.Action;
import io.ringfence.rules.Ask;
import io.ringfence.rules.Durability;
import io.ringfence.rules.Request;
import io.ringfence.rules.Rule;
import io.ringfence.rules.RuleSet;
import java.util.BitSet;
import java.util.List;
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

  /** While the table is full, idle counters make way within half a second. */
  private static final int SWEEP_TURNS_WHEN_FULL = 5;

  private static final long SWEEP_NANOS = 100_000_000L;

  private final EngineSettings settings;
  private final EnginePorts ports;
  private final Core core;
  private final Peers peers;
  private final AtomicLong localIds = new AtomicLong();
  private final AtomicBoolean defectLogged = new AtomicBoolean();
  private final Parking parking; // checks that arrived here
  private final TableAlarm alarm;

  private volatile RuleSet rules;
  private volatile int knownNodes = 1; // members of the current or the last view, at least 1
  private volatile boolean running;

  /** An engine that is in no view yet. */
  public Engine(EngineSettings settings, RuleSet rules, EnginePorts ports) {
    this.settings = settings;
    this.rules = rules;
    this.ports = ports;
    this.parking = new Parking(ports);
    this.peers = new Peers(ports, settings.forward());
    this.core = new Core();
    this.alarm = new TableAlarm(core.slots, settings.bounds().keys());
  }

  /**
   * Keeps counters of long windows across a restart from now on, see {@link #checkpoint}. To be
   * called before the first view.
   *
   * @param earlier what an earlier process of this node left; null if there never was one
   */
  public void restarted(@Nullable SavedSlots earlier) {
    core.custody.begin(earlier);
  }

  /**
   * What has changed since the last checkpoint; it counts as written from then on.
   *
   * @param all everything instead, for a log that begins anew
   */
  public CheckpointBatch checkpoint(boolean all) {
    return core.custody.checkpoint(all);
  }

  /** Starts the sweep of idle counters, which goes on until {@link #stop}. */
  public void start() {
    running = true;
    ports.timers().after(SWEEP_NANOS, this::sweep);
    ports.timers().after(settings.replication().interval().toNanos(), this::copy);
  }

  /** Ends the sweep. */
  public void stop() {
    running = false;
  }

  @Override
  public void check(Check check, VerdictListener listener) {
    inquire(Intent.CHECK, check, listener);
  }

  @Override
  public StandingCheck standing(Check check) {
    return new StandingCheck(core, check);
  }

  @Override
  public void checkAll(List<Check> checks, Consumer<List<Verdict>> listener) {
    Bulk.ask(checks, this::met, this::check, listener);
  }

  @Override
  public void peek(Check check, VerdictListener listener) {
    inquire(Intent.PEEK, check, listener);
  }

  @Override
  public void refund(Check check, VerdictListener listener) {
    inquire(Intent.REFUND, check, listener);
  }

  @Override
  public void reset(Check check, VerdictListener listener) {
    inquire(Intent.RESET, check, listener);
  }

  @Override
  public void debit(Check check, VerdictListener listener) {
    inquire(Intent.DEBIT, check, listener);
  }

  @Override
  public void usage(String client, Consumer<Usage> listener) {
    new UsageCall(core, client, listener).start();
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
    Topology topology = core.custody.topology();
    if (topology == null || topology.ring().isEmpty()) {
      return new Placed(slot, null, null, 0);
    }
    return new Placed(
        slot,
        nameOf(topology.deciderOf(slot)),
        nameOf(topology.backupOf(slot)),
        topology.view().epoch());
  }

  private static @Nullable String nameOf(@Nullable MemberId member) {
    return member == null ? null : member.name();
  }

  @Override
  public RuleSet rules() {
    return rules;
  }

  @Override
  public ClusterStatus cluster() {
    Topology topology = core.custody.topology();
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

  /** Whether the table of counters had no room for a new one lately. */
  public boolean tableFull() {
    return core.slots.isFull();
  }

  /** For how many other members this node keeps calls and a breaker. */
  int peersKnown() {
    return peers.known();
  }

  /** Of how many counters this node remembers a denial. */
  int denialsKnown() {
    return core.denials.size();
  }

  /** What is under way at this moment and should not be once all is quiet. */
  Unfinished unfinished() {
    return new Unfinished(
        peers.inFlight(),
        parking.size() + core.desk.parked(),
        core.lifting.underWay(),
        core.fallback.owed().size() + core.repayment.waiting());
  }

  /**
   * Work that has begun and not ended.
   *
   * @param calls calls to other members without an answer
   * @param parked checks that wait for a view
   * @param lifts lifts that some member has not acknowledged
   * @param debts counters of which other owners do not know what was admitted here
   */
  record Unfinished(int calls, int parked, int lifts, int debts) {}

  /** The epoch of this node's view, 0 without one. */
  public long epoch() {
    Topology topology = core.custody.topology();
    return topology == null ? 0 : topology.view().epoch();
  }

  /**
   * Whether some checks are being answered by failure policies: no view, no lease, or an open
   * breaker.
   */
  public boolean degraded() {
    return core.custody.topology() == null
        || core.isCutOff(ports.clock().elapsedNanos())
        || peers.anyBreakerOpen();
  }

  /** Makes a view the one that this node goes by, and opens and closes slots accordingly. */
  public void install(View view) {
    Topology before = core.custody.topology();
    Topology installed = core.custody.install(view);
    knownNodes = view.members().size();
    boolean sameLineage = before != null && before.view().lineage().equals(view.lineage());
    if (!sameLineage || !view.contains(settings.self())) {
      core.denials.clear(ports.clock().elapsedNanos());
    }
    peers.forgetAllBut(view);
    core.lifting.installed(installed);
    core.desk.installed(installed);
    parking.installed(installed.name());
  }

  /** This node is in no view any more: it decides nothing until the next one. */
  public void leaveView() {
    core.custody.leave();
    core.lifting.installed(null);
  }

  /**
   * Nobody who departed from that view, or an earlier one, may still be deciding: this node may
   * open what they had.
   */
  public void departuresOver(ViewStamp view) {
    core.custody.departuresOver(view);
  }

  /**
   * A member died in that settled view, and no later one was decided while it lived: the backups of
   * its slots go on with them, on a thread of the timers.
   */
  public void died(ViewStamp view, MemberId member) {
    ports
        .timers()
        .after(
            0,
            () -> {
              try {
                core.custody.died(view, member);
              } catch (RuntimeException defect) {
                core.defect(defect);
              }
            });
  }

  /**
   * Whether all slots are where they belong by that view, as far as this node has to do with it.
   */
  public boolean isDone(ViewStamp view) {
    return core.custody.isDone(view);
  }

  /** How the slots of this node stand. */
  public SlotCounts slotCounts() {
    return core.custody.counts();
  }

  /** How far behind the copy is that is furthest behind of those this node sends; nanoseconds. */
  public long replicationLagNanos() {
    return core.custody.lagNanos();
  }

  /** Whether this node decides for a slot, as long as it holds a lease. */
  public boolean holds(int slot) {
    return core.slots.slot(slot).isOpen();
  }

  /**
   * What a check would be told if this node decided by what it holds of a counter, be that a copy.
   * For tools that hold copies against counters; nothing is charged.
   */
  public LimitVerdict.Answer copied(Ask ask) {
    int slot = core.slots.slotOf(ask.place());
    CounterKey key = core.slots.keyOf(ask.limit().id(), ask.values());
    Target target =
        new Target(
            key, slot, ask.limit().algorithm(), ask.cost(), false, ask.rule().effect().failure());
    Moment now = Moment.of(ports.clock());
    Counter known = core.slots.get(slot, key);
    Counter counter = known == null ? core.slots.imagine(target, now) : known;
    synchronized (counter) {
      return counter.look(target, now);
    }
  }

  /** This node may decide again: what other members asked meanwhile is decided now. */
  public void leaseGained() {
    core.desk.leaseGained();
  }

  /**
   * Makes other rules the ones in force. What live counters have used stays used; what this node
   * and the others remember of denials by a limit that is another now is forgotten.
   */
  public void install(RuleSet newRules) {
    RuleSet before = rules;
    rules = newRules;
    core.fallback.rulesChanged();
    long now = ports.clock().elapsedNanos();
    core.denials.clear(now);
    List<Lifted> changed = newRules.changedSince(before).stream().map(Lifted::all).toList();
    for (int from = 0; from < changed.size(); from += LiftMessage.MAX_LIFTED) {
      int to = Math.min(changed.size(), from + LiftMessage.MAX_LIFTED);
      core.lift(changed.subList(from, to), now, () -> {});
    }
  }

  /** A message of another member that has proved itself. */
  public void received(MemberId from, PeerMessage message) {
    if (message instanceof CheckMessage check) {
      core.serve(from, check);
    } else if (message instanceof AnswerMessage answer) {
      peers.answered(from, answer.id(), call -> call.answered(answer.answers()));
    } else if (message instanceof NotOwnerMessage notOwner) {
      peers.answered(from, notOwner.id(), call -> call.notOwner(notOwner));
    } else if (message instanceof RefusalMessage refusal) {
      CallOutcome.Failure failure =
          refusal.reason() == RefusalMessage.Reason.TABLE_FULL
              ? CallOutcome.Failure.NO_ROOM
              : CallOutcome.Failure.REFUSED;
      peers.answered(from, refusal.id(), call -> call.failed(failure));
    } else if (message instanceof UsageAnswerMessage usage) {
      peers.answered(from, usage.id(), call -> call.told(usage));
    } else if (message instanceof UsageMessage question) {
      core.serve(from, question);
    } else if (message instanceof LiftMessage lift) {
      forget(lift);
      ports.transport().send(from, new LiftedMessage(lift.id()));
    } else if (message instanceof LiftedMessage lifted) {
      core.lifting.lifted(from, lifted.id());
    } else if (message instanceof CancelMessage cancel) {
      core.desk.cancel(from, cancel.checkId());
    } else if (message instanceof SlotMessage ofSlots) {
      core.receivedOfSlots(from, ofSlots);
    } else {
      throw new IllegalArgumentException("not for the engine: " + message);
    }
  }

  /** A member said which rules it has. */
  public void reported(MemberId member, String rulesVersion) {
    Topology topology = core.custody.topology();
    if (topology != null && topology.view().contains(member)) {
      peers.reported(member, rulesVersion);
    }
  }

  /** A connection to a member stands. */
  public void connected(MemberId member) {
    peers.connected(member);
  }

  /** The last connection to a member is lost. */
  public void disconnected(MemberId member) {
    peers.disconnected(member);
    core.custody.disconnected(member);
  }

  private void forget(LiftMessage lift) {
    long now = ports.clock().elapsedNanos();
    for (Lifted lifted : lift.lifted()) {
      if (lifted.whole()) {
        core.denials.liftAll(lifted.limitId(), now);
      } else {
        core.denials.lift(core.slots.keyOf(lifted.limitId(), lifted.values()), now);
      }
    }
  }

  /** The counters that a check meets; none if that cannot be told. */
  private List<Ask> met(Check check) {
    try {
      return rules.applicable(check.request(), check.cost()).asks();
    } catch (RuntimeException defect) {
      core.defect(defect);
      return List.of();
    }
  }

  private void inquire(Intent intent, Check check, VerdictListener listener) {
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
      try {
        if (intent == Intent.CHECK) {
          long latency = ports.clock().elapsedNanos() - start;
          ports
              .metrics()
              .checked(
                  verdict, new EngineMetrics.Passage(EngineMetrics.Path.LOCAL, false, latency));
        }
      } catch (RuntimeException defect) {
        core.defect(defect);
      } finally {
        listener.verdict(verdict);
      }
      return;
    }
    Question question = Question.of(intent, check, settings.ring(), start);
    new Inquiry(core, question, applicable.asks(), listener).start();
  }

  private ClusterStatus.MemberShare share(Member member, Topology topology) {
    String version =
        member.id().equals(settings.self()) ? rules.version() : peers.rulesVersion(member.id());
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

  private void copy() {
    if (!running) {
      return;
    }
    try {
      core.custody.turn();
    } catch (RuntimeException defect) {
      core.defect(defect);
    }
    ports.timers().after(settings.replication().interval().toNanos(), this::copy);
  }

  /** One turn of the sweep. */
  void sweepOnce() {
    Moment now = Moment.of(ports.clock());
    core.slots.sweep(core.slots.isFull() ? SWEEP_TURNS_WHEN_FULL : SWEEP_TURNS, now);
    core.fallback.sweep(SWEEP_TURNS, now);
    core.repayment.turn();
    Topology topology = core.custody.topology();
    if (topology != null) {
      peers.forgetAllBut(topology.view());
    }
    alarm.look();
  }

  private Copies.Kept kept() {
    return new Copies.Kept() {
      @Override
      public boolean all() {
        return rules.rules().stream().allMatch(Engine::isKept);
      }

      @Override
      public boolean has(long limitId) {
        RuleSet.Counted counted = rules.limit(limitId);
        return counted == null || isKept(counted.rule());
      }
    };
  }

  private static boolean isKept(Rule rule) {
    return rule.effect().failure().durability() != Durability.NONE;
  }

  /** The parts of the engine, as a check on its way sees them. */
  private final class Core implements EngineCore, Routing {
    private final Changes changes = new Changes();
    private final Slots slots = new Slots(settings.ring(), settings.bounds().keys(), changes);
    private final Denials denials = new Denials();
    private final Lifting lifting = new Lifting(settings.self(), ports);
    private final Desk desk = new Desk(this, slots, ports);
    private final Fallback fallback = new Fallback(settings.ring(), settings.bounds(), ports);
    private final Repayment repayment = new Repayment(this, fallback.owed());
    private final Custody custody =
        new Custody(
            settings.ring(),
            slots,
            changes,
            ports,
            new Custody.Owner(
                settings.self(),
                this::found,
                fallback.owed()::add,
                kept(),
                settings.replication().maxLag().toNanos()));

    private void found(BitSet slotsFound) {
      desk.found(slotsFound);
      parking.found(slotsFound);
    }

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
      return custody.topology();
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
    public BitSet mustBeCopied(Deed deed, List<Target> targets, Step step) {
      BitSet slotsToCopy = new BitSet(0);
      boolean changes =
          switch (deed.mode()) {
            case CHARGE, TENTATIVE -> !step.charges().isEmpty();
            case REFUND, RESET, DEBIT, LATE, RECOVER -> true;
            case PEEK -> false;
          };
      if (changes) {
        for (Target target : targets) {
          if (target.isSync() || (target.isKept() && custody.isBehind(target.slot()))) {
            slotsToCopy.set(target.slot());
          }
        }
      }
      return slotsToCopy;
    }

    @Override
    public boolean isBehind(int slot) {
      return custody.isBehind(slot);
    }

    @Override
    public void whenCopied(CopyWait wait) {
      custody.whenCopied(wait);
    }

    @Override
    public PeerCalls callsTo(MemberId member) {
      return peers.callsTo(member);
    }

    @Override
    public int tenantOf(Request request) {
      return Tenants.numberOf(request, settings.ring());
    }

    @Override
    public Denials denials() {
      return denials;
    }

    @Override
    public void serve(MemberId from, CheckMessage check) {
      guarded(from, check.id(), () -> desk.serve(from, check));
    }

    void serve(MemberId from, UsageMessage question) {
      guarded(from, question.id(), () -> desk.serve(from, question));
    }

    /** Copies and the like are told again until they are taken, whatever became of this one. */
    void receivedOfSlots(MemberId from, SlotMessage message) {
      try {
        custody.received(from, message);
      } catch (RuntimeException defect) {
        defect(defect);
      }
    }

    private void guarded(MemberId from, long id, Runnable work) {
      try {
        work.run();
      } catch (RuntimeException defect) {
        defect(defect);
        ports.transport().send(from, new RefusalMessage(id, RefusalMessage.Reason.DEFECT));
      }
    }

    @Override
    public void lift(List<Lifted> lifted, long deadlineNanos, Runnable then) {
      lifting.lift(lifted, topology(), peers::reachable, deadlineNanos, then);
    }

    @Override
    public void resume(int slot) {
      BitSet one = new BitSet();
      one.set(slot);
      parking.found(one);
    }

    @Override
    public boolean park(Parking.Parked check) {
      return parking.park(check);
    }

    @Override
    public boolean isCutOff(long nowNanos) {
      Topology current = topology();
      return !ports.lease().test(nowNanos) && current != null && current.votes(settings.self());
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
