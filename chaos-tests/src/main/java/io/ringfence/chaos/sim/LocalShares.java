package io.ringfence.chaos.sim;

import static io.ringfence.chaos.sim.Invariant.CALM_IS_EXACT;
import static io.ringfence.chaos.sim.Invariant.POLICY_HOLDS;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.algorithms.Kind;
import io.ringfence.chaos.virtual.Findings;
import io.ringfence.engine.Certainty;
import io.ringfence.engine.LimitVerdict.Answer;
import io.ringfence.engine.message.Deed;
import io.ringfence.rules.Ask;
import io.ringfence.rules.FailurePolicy;
import io.ringfence.rules.OnPartition;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Holds answers that no owner gave against the rule's failure policy.
 *
 * <p>When exactly a local bucket was charged is not seen, only that it was between the beginning of
 * the call and its answer. So what is checked is a bound that holds wherever it was: no sequence of
 * local admissions of one node and key is more than the share admits in any span as long as the
 * whole of it.
 */
final class LocalShares {
  private static final long MOST_CALM_LIFT_NANOS = 3_000_000; // of a way and what queues before it

  private final RunKind kind;
  private final int nodes;
  private final Debts debts;
  private final Findings findings;
  private final Map<Bucket, List<Admission>> admissions = new HashMap<>();
  private final Map<Bucket, Long> givenBack = new HashMap<>(); // by refunds, at most
  private final Set<Repeated> repeated = new HashSet<>(); // named requests, each charged once

  LocalShares(Scenario scenario, Debts debts, Findings findings) {
    this.debts = debts;
    this.kind = scenario.kind();
    this.nodes = scenario.nodes();
    this.findings = findings;
  }

  private record Bucket(SimNode node, CounterName name) {}

  private record Repeated(Bucket bucket, PlannedCall.Name request) {}

  private record Admission(long fromNanos, long toNanos, long cost) {}

  /**
   * How long after a charge was taken back a member may still remember a denial that was due to it:
   * until the lift arrives, which where messages are lost may be any time.
   */
  long liftNanos() {
    return kind == RunKind.CALM ? MOST_CALM_LIFT_NANOS : Long.MAX_VALUE;
  }

  /**
   * Whether a refund or reset may have ended a denial of which its member has not been told yet.
   * Where every message arrives, all have been told once it is answered.
   */
  boolean isBeingLifted(List<Call> givingBack, Call denied) {
    return givingBack.stream()
        .anyMatch(
            call ->
                kind != RunKind.CALM || call.pending() || call.answeredNanos > denied.beganNanos);
  }

  /** A call begins; if it refunds, it may refund the node's own buckets at any time from now on. */
  void began(Call call) {
    for (int i = 0; i < call.names.size() && call.plan.givesBack(); i++) {
      Bucket bucket = new Bucket(call.node, call.names.get(i));
      givenBack.merge(bucket, call.asks.get(i).cost(), Long::sum);
    }
  }

  /** A limit of a call was answered by policy. */
  void answered(Call call, int index, Answer answer, long nowNanos) {
    Ask ask = call.asks.get(index);
    findings.require(
        kind != RunKind.CALM,
        CALM_IS_EXACT,
        () -> "%s was answered by the policy of %s".formatted(call, ask.rule().name()));
    boolean undone = call.plan.mode() == Deed.Mode.RESET || call.plan.mode() == Deed.Mode.DEBIT;
    Set<Says> policies = policies(call, ask.rule().effect().failure(), nowNanos);
    findings.require(
        policies.stream().anyMatch(says -> fits(says, answer, undone)),
        POLICY_HOLDS,
        () -> "%s: %s answered %s".formatted(call, policies, Messages.tell(answer)));
    boolean bucket =
        policies.contains(Says.BUCKET)
            && answer.allowed()
            && (policies.size() == 1 || answer.resetAtMillis() != Answer.NO_RESET);
    if (bucket && call.plan.isCheck()) {
      debts.admitted(call, index);
    }
    if (bucket && call.admitted()) {
      add(call, index, nowNanos);
    }
  }

  /** What a policy comes to. */
  private enum Says {
    BUCKET,
    OPEN,
    CLOSED
  }

  private static boolean fits(Says says, Answer answer, boolean undone) {
    boolean degraded = answer.certainty() == Certainty.DEGRADED;
    return switch (says) {
      case CLOSED -> !answer.allowed() && (undone || !degraded);
      case OPEN -> undone ? !answer.allowed() : answer.allowed() && degraded;
      case BUCKET -> undone ? !answer.allowed() : degraded;
    };
  }

  /**
   * What may have answered: the policy for an owner that does not answer, and where the node had no
   * lease meanwhile, that for a node that is cut off.
   */
  private static Set<Says> policies(Call call, FailurePolicy policy, long nowNanos) {
    Set<Says> policies = EnumSet.noneOf(Says.class);
    if (call.beganNanos < nowNanos || call.node.mayDecide(nowNanos)) {
      policies.add(
          switch (policy.onUnavailable()) {
            case LOCAL -> Says.BUCKET;
            case OPEN -> Says.OPEN;
            case CLOSED -> Says.CLOSED;
          });
    }
    if (call.node.lapsedWithin(call.beganNanos, nowNanos)) {
      policies.add(
          switch (policy.onPartition()) {
            case SHARE -> Says.BUCKET;
            case OPEN -> Says.OPEN;
            case CLOSED, STRICT -> Says.CLOSED;
          });
    }
    return policies;
  }

  private void add(Call call, int index, long nowNanos) {
    Ask ask = call.asks.get(index);
    Bucket bucket = new Bucket(call.node, call.names.get(index));
    if (call.plan.name() != null && !repeated.add(new Repeated(bucket, call.plan.name()))) {
      return;
    }
    List<Admission> list = admissions.computeIfAbsent(bucket, unused -> new ArrayList<>());
    list.add(new Admission(call.beganNanos, nowNanos, ask.cost()));
    boolean allOfIt =
        call.node.lapsedWithin(0, nowNanos)
            && ask.rule().effect().failure().onPartition() == OnPartition.SHARE;
    ReferenceCounter share = share(ask, allOfIt);
    long sum = 0;
    long from = nowNanos;
    for (int i = list.size() - 1; i >= 0; i--) {
      sum += list.get(i).cost();
      from = Math.min(from, list.get(i).fromNanos());
      long most = share.mostWithin(nowNanos - from) + givenBack.getOrDefault(bucket, 0L);
      if (sum > most) {
        findings.broken(
            POLICY_HOLDS,
            "%s admitted %d of %s by itself within %.3f ms; its share is %d"
                .formatted(call.node, sum, ask.rule().name(), (nowNanos - from) / 1e6, most));
        return;
      }
    }
  }

  /** The share of a node: all of it where it has been cut off, else the part that the rule says. */
  private ReferenceCounter share(Ask ask, boolean allOfIt) {
    FailurePolicy policy = ask.rule().effect().failure();
    Algorithm stated = policy.local();
    if (stated != null && !allOfIt) {
      return ReferenceCounter.of(stated);
    }
    Algorithm whole = ask.limit().algorithm();
    if (whole.limit() == 0) {
      return ReferenceCounter.of(whole);
    }
    long divisor = nodes * FailurePolicy.ONE_MILLION;
    long fraction = allOfIt ? FailurePolicy.ONE_MILLION : policy.localFractionMillionths();
    long limit = Math.max(1, whole.limit() * fraction / divisor);
    boolean queues = whole.kind() == Kind.LEAKING_BUCKET;
    long atOnce = queues ? whole.burst() + 1 : whole.burst();
    long share = Math.max(1, atOnce * fraction / divisor);
    long burst = whole.burst() == 0 && !queues ? 0 : queues ? share - 1 : share;
    return ReferenceCounter.of(Algorithm.of(whole.kind(), limit, whole.windowNanos(), burst));
  }
}
