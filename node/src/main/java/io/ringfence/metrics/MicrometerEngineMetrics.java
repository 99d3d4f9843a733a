package io.ringfence.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.ringfence.engine.Certainty;
import io.ringfence.engine.EngineMetrics;
import io.ringfence.engine.FallbackMode;
import io.ringfence.engine.LimitVerdict;
import io.ringfence.engine.SlotCounts;
import io.ringfence.engine.SlotOpened;
import io.ringfence.engine.Verdict;
import io.ringfence.membership.MemberId;
import io.ringfence.rules.Rule;
import io.ringfence.rules.RuleSet;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * Counts what the engine does in a registry that comes from outside: the host application's where a
 * node is embedded, that of a {@link PrometheusPage} where it stands alone.
 *
 * <p><b>What one check counts.</b> Each rule that applied counts one check, whatever the number of
 * its limits, under the least sure of their answers. If the check passed, each of those that is
 * enforced counts one allowed. If it was denied, only the rule that decided counts one rejected:
 * the others did not say no, or not for as long. A shadow rule counts what it would have denied. A
 * check that met no rule counts as unmatched.
 *
 * <p><b>Cost.</b> No string is built and no meter looked up by name per check.
 *
 * <p>Thread-safe. Nothing blocks but for a change of rules or members, which hold a lock while they
 * register series.
 */
public final class MicrometerEngineMetrics implements EngineMetrics {
  private static final double NANOS_PER_SECOND = 1e9;

  // Around the goals for one hop and the usual forward deadline.
  private static final Duration[] BUCKETS = {
    Duration.ofNanos(50_000),
    Duration.ofNanos(100_000),
    Duration.ofNanos(250_000),
    Duration.ofNanos(500_000),
    Duration.ofMillis(1),
    Duration.ofNanos(2_500_000),
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(20),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(250),
    Duration.ofSeconds(1)
  };

  private final MeterRegistry registry;
  private final RuleBook rules;
  private final PeerBook peers;
  private final Counter unmatched;
  private final Timer local;
  private final Timer forward;
  private final Timer denyCache;
  private final Timer hop;
  private final Counter fenced;
  private final Counter debits;
  private final Map<SlotOpened, Counter> slotsOpened = new EnumMap<>(SlotOpened.class);
  private final Counter reloaded;
  private final Counter reloadFailed;
  private final NamedCounters overflows;
  private final NamedCounters defects;

  /** Counts for the node of that name. */
  public MicrometerEngineMetrics(NodeMeters meters, String node) {
    this(meters.registryOf(node));
  }

  /** Registers what does not depend on rules and members. */
  public MicrometerEngineMetrics(MeterRegistry registry) {
    this.registry = registry;
    this.rules = new RuleBook(registry);
    this.peers = new PeerBook(registry);
    this.unmatched =
        Counter.builder(Names.UNMATCHED)
            .description("Checks that no rule applied to")
            .register(registry);
    this.local = latency(Path.LOCAL);
    this.forward = latency(Path.FORWARD);
    this.denyCache = latency(Path.DENY_CACHE);
    this.hop =
        Timer.builder(Names.FORWARD)
            .description("Answers of other members to this one")
            .serviceLevelObjectives(BUCKETS)
            .register(registry);
    this.fenced =
        Counter.builder(Names.FENCED)
            .description("Decisions that do not count, as the node held no lease")
            .register(registry);
    this.debits =
        Counter.builder(Names.DEBITS)
            .description("Units admitted apart and charged to their owners afterwards")
            .register(registry);
    for (SlotOpened how : SlotOpened.values()) {
      slotsOpened.put(how, opened(how));
    }
    this.reloaded = reload("success");
    this.reloadFailed = reload("failure");
    this.overflows =
        new NamedCounters(registry, Names.OVERFLOW, "bound", "What a bound turned away");
    this.defects =
        new NamedCounters(registry, Names.DEFECTS, "part", "What the node could not explain");
  }

  private Timer latency(Path path) {
    return Timer.builder(Names.LATENCY)
        .description("Time from a check's arrival to its answer, within the node")
        .tag("path", path.name().toLowerCase(Locale.ROOT))
        .serviceLevelObjectives(BUCKETS)
        .register(registry);
  }

  private Counter opened(SlotOpened how) {
    return Counter.builder(Names.SLOTS_OPENED)
        .description("Slots that another node decided for before and this one does now")
        .tag("how", how.text())
        .register(registry);
  }

  private Counter reload(String result) {
    return Counter.builder(Names.RULES_RELOAD)
        .description("Attempts to put other rules into force")
        .tag("result", result)
        .register(registry);
  }

  /** These rules are in force from now on. Series of rules that are not among them go. */
  public void rulesInForce(RuleSet set) {
    rules.inForce(set.rules());
  }

  /** Somebody tried to put other rules into force. */
  public void rulesReloaded(boolean success) {
    (success ? reloaded : reloadFailed).increment();
  }

  /**
   * These are the other members from now on, by name. Series of members that are not among them go;
   * before the first call every error counts for the peer {@code departed}.
   */
  public void peers(Collection<String> names) {
    peers.members(List.copyOf(names));
  }

  /** Shows what is read rather than counted. To be called once. */
  public void gauges(NodeGauges gauges) {
    gauge(Names.EPOCH, "The epoch of the node's view", () -> gauges.epoch().getAsLong());
    gauge(Names.KEYS, "Counters that the node holds", () -> gauges.keys().getAsLong());
    gauge(
        Names.TABLE_FULL,
        "1 while the table of counters has no room for new ones, else 0",
        () -> gauges.tableFull().getAsBoolean() ? 1 : 0);
    gauge(
        Names.DEGRADED,
        "1 while some checks are answered by failure policies, else 0",
        () -> gauges.degraded().getAsBoolean() ? 1 : 0);
    views(gauges.views());
    detours(gauges.detours());
    custody(gauges.custody());
  }

  private void views(NodeGauges.Views views) {
    gauge(
        Names.LEASE,
        "1 while the node holds a lease and so may decide, else 0",
        () -> views.leased().getAsBoolean() ? 1 : 0);
    gauge(Names.VOTERS, "The voters of the node's view", () -> views.voters().getAsLong());
    gauge(
        Names.AWAY,
        "Members of the node's view that fell silent and are expected back",
        () -> views.away().getAsLong());
    counted(Names.VIEWS, "Views that the node has held", views.installed());
    counted(Names.LEASE_LAPSES, "Leases that ended without a following one", views.lapses());
  }

  private void detours(NodeGauges.Detours detours) {
    gauge(
        Names.DETOURS,
        "Members to which the link is down, so that they are sent to through a third",
        () -> detours.members().getAsLong());
    counted(Names.RELAYED, "Messages of other members that were handed on", detours.handedOn());
  }

  private void custody(NodeGauges.Custody custody) {
    slots(custody, "open", SlotCounts::open);
    slots(custody, "awaited", SlotCounts::awaited);
    slots(custody, "leaving", SlotCounts::leaving);
    slots(custody, "unprotected", SlotCounts::unprotected);
    gauge(
        Names.COPIES,
        "Counters that the node holds as copies of another's",
        () -> custody.slots().get().copies());
    seconds(
        Names.REPLICATION_LAG,
        "For how long the copy that is furthest behind has lacked something",
        custody.replicationLagNanos());
    seconds(
        Names.CHECKPOINT_AGE,
        "How long ago the last checkpoint was written, 0 without a data directory",
        custody.checkpointAgeNanos());
  }

  private void seconds(String name, String description, LongSupplier nanos) {
    Supplier<Number> seconds = () -> nanos.getAsLong() / NANOS_PER_SECOND;
    Gauge.builder(name, seconds)
        .description(description)
        .baseUnit("seconds")
        .strongReference(true)
        .register(registry);
  }

  private void slots(NodeGauges.Custody custody, String state, ToLongFunction<SlotCounts> count) {
    Supplier<Number> value = () -> count.applyAsLong(custody.slots().get());
    Gauge.builder(Names.SLOTS, value)
        .description("Slots by how they stand at the node; one may count under several")
        .tag("state", state)
        .strongReference(true)
        .register(registry);
  }

  private void counted(String name, String description, LongSupplier count) {
    FunctionCounter.builder(name, count, LongSupplier::getAsLong)
        .description(description)
        .register(registry);
  }

  private void gauge(String name, String description, Supplier<Number> value) {
    Gauge.builder(name, value).description(description).strongReference(true).register(registry);
  }

  @Override
  public void checked(Verdict verdict, Passage passage) {
    timer(passage.path()).record(passage.latencyNanos(), TimeUnit.NANOSECONDS);
    Rule shortcut = verdict.shortcut();
    if (shortcut != null) {
      shortcut(rules.of(shortcut), verdict);
      return;
    }
    List<LimitVerdict> limits = verdict.limits();
    if (limits.isEmpty()) {
      unmatched.increment();
      return;
    }
    for (int i = 0; i < limits.size(); i++) {
      if (isFirstOfItsRule(limits, i)) {
        rule(limits, i, verdict.allowed());
      }
    }
    LimitVerdict deciding = verdict.allowed() ? null : verdict.deciding();
    if (deciding != null) {
      rules.of(deciding.rule()).rejected(reason(deciding, passage));
    }
  }

  @Override
  public void checkedHere(Rule rule, boolean allowed, long latencyNanos) {
    local.record(latencyNanos, TimeUnit.NANOSECONDS);
    RuleSeries series = rules.of(rule);
    series.checked(Certainty.EXACT);
    if (allowed) {
      series.allowed();
    } else {
      series.rejected(RejectReason.LIMIT);
    }
  }

  private Timer timer(Path path) {
    return switch (path) {
      case LOCAL -> local;
      case FORWARD -> forward;
      case DENY_CACHE -> denyCache;
    };
  }

  private static void shortcut(RuleSeries series, Verdict verdict) {
    series.checked(verdict.certainty());
    if (verdict.allowed()) {
      series.allowed();
    } else {
      series.rejected(RejectReason.DENY);
    }
  }

  private static boolean isFirstOfItsRule(List<LimitVerdict> limits, int index) {
    String name = limits.get(index).rule().name();
    for (int i = 0; i < index; i++) {
      if (limits.get(i).rule().name().equals(name)) {
        return false;
      }
    }
    return true;
  }

  private void rule(List<LimitVerdict> limits, int first, boolean passed) {
    Rule rule = limits.get(first).rule();
    Certainty certainty = Certainty.EXACT;
    boolean allLimitsPass = true;
    for (int i = first; i < limits.size(); i++) {
      LimitVerdict limit = limits.get(i);
      if (limit.rule().name().equals(rule.name())) {
        certainty = certainty.leastOf(limit.answer().certainty());
        allLimitsPass &= limit.answer().allowed();
      }
    }
    RuleSeries series = rules.of(rule);
    series.checked(certainty);
    if (rule.effect().presentation().shadow()) {
      if (!allLimitsPass) {
        series.shadowRejected();
      }
    } else if (passed) {
      series.allowed();
    }
  }

  private static RejectReason reason(LimitVerdict deciding, Passage passage) {
    if (deciding.answer().certainty() == Certainty.CLOSED) {
      return RejectReason.CLOSED;
    }
    if (passage.outOfRoom() && deciding.answer().certainty() == Certainty.DEGRADED) {
      return RejectReason.OVERFLOW;
    }
    return passage.path() == Path.DENY_CACHE ? RejectReason.DENY_CACHE : RejectReason.LIMIT;
  }

  @Override
  public void forwarded(long latencyNanos) {
    hop.record(latencyNanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void backendError(MemberId peer) {
    peers.error(peer.name());
  }

  @Override
  public void fallback(Rule rule, FallbackMode mode, boolean allowed) {
    rules.of(rule).fallback(mode, allowed);
  }

  @Override
  public void slotOpened(SlotOpened how) {
    Objects.requireNonNull(slotsOpened.get(how)).increment();
  }

  @Override
  public void debited(long units) {
    debits.increment((double) units);
  }

  @Override
  public void fenced() {
    fenced.increment();
  }

  @Override
  public void overflow(String bound) {
    overflows.count(bound);
  }

  /**
   * A part met something that it cannot explain.
   *
   * @param part a constant that names it
   */
  @Override
  public void defect(String part) {
    defects.count(part);
  }
}
