package io.ringfence.chaos.swarm;

import io.ringfence.chaos.virtual.Findings;
import io.ringfence.engine.Certainty;
import io.ringfence.engine.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Every check of a run and its verdict; holds each against what must be true of it by itself. */
final class Ledger {
  private static final long MILLI = 1_000_000;

  /** The deadline, a twentieth more for a slow clock, and a millisecond. */
  private static final long DUE_NANOS = Setup.FORWARD.deadline().toNanos() * 21 / 20 + MILLI;

  private final Swarm swarm;
  private final List<Asked> all = new ArrayList<>();
  private final long[] byOwners; // units that owners admitted, by key
  private final Map<Integer, long[]> byPolicy = new HashMap<>(); // by process; then by key
  private boolean neverDegraded; // whether no policy may answer any more

  Ledger(Swarm swarm) {
    this.swarm = swarm;
    this.byOwners = new long[swarm.setup.keys()];
  }

  List<Asked> all() {
    return all;
  }

  /** From now on owners must answer every check that begins. */
  void expectOwners(boolean expected) {
    neverDegraded = expected;
  }

  /** Units of a key that owners admitted, at whatever certainty. */
  long byOwners(int key) {
    return byOwners[key];
  }

  /** Units of a key that local buckets admitted, of all processes together. */
  long byPolicy(int key) {
    return byPolicy.values().stream().mapToLong(units -> units[key]).sum();
  }

  /** Units of a key that were asked for and of which no owner's word came. */
  long unsure(int key) {
    return all.stream()
        .filter(asked -> asked.key == key && asked.begunNanos >= 0 && !asked.isByOwner())
        .mapToLong(asked -> asked.cost)
        .sum();
  }

  Asked ask(Node node, int key, int cost) {
    Asked asked = new Asked(all.size() + 1, node, key, cost, swarm.agenda.now());
    all.add(asked);
    return asked;
  }

  void begins(Asked asked) {
    asked.begunNanos = swarm.agenda.now();
    asked.ownersExpected = neverDegraded;
    swarm.story.add(() -> "%s  asks %s".formatted(asked.node, asked));
  }

  void answered(Asked asked, Verdict verdict) {
    long now = swarm.agenda.now();
    swarm.story.add(() -> "%s  %s: %s".formatted(asked.node, asked, tell(verdict)));
    Findings findings = swarm.findings;
    findings.require(
        !asked.isAnswered(), Invariant.ANSWERED, () -> asked + " is answered a second time");
    asked.verdict = verdict;
    asked.answeredNanos = now;
    long due = Math.max(asked.begunNanos + DUE_NANOS, asked.node.wokeNanos + MILLI);
    findings.require(
        now <= due,
        Invariant.ANSWERED,
        () -> "%s is answered %.3f ms too late".formatted(asked, (now - due) / 1e6));
    findings.require(
        asked.isByOwner() || !asked.ownersExpected,
        Invariant.NEVER_DEGRADED,
        () -> asked + " is answered by policy: " + tell(verdict));
    if (!verdict.allowed()) {
      return;
    }
    if (asked.isByOwner()) {
      admittedByOwner(asked, verdict);
    } else {
      admittedByPolicy(asked);
    }
  }

  private void admittedByOwner(Asked asked, Verdict verdict) {
    long limit = swarm.setup.limit();
    byOwners[asked.key] += asked.cost;
    swarm.findings.require(
        byOwners[asked.key] <= limit
            || verdict.certainty() != Certainty.EXACT
            || asked.begunNanos <= swarm.chronicle.firstBlowNanos()
            || swarm.chronicle.beganFromNothing(),
        Invariant.HONEST_CERTAINTY,
        () -> "%s is exact, and unit %d".formatted(asked, byOwners[asked.key]));
  }

  private void admittedByPolicy(Asked asked) {
    long[] units =
        byPolicy.computeIfAbsent(asked.node.number, unused -> new long[swarm.setup.keys()]);
    units[asked.key] += asked.cost;
    int members = asked.node.glue.viewSize();
    swarm.findings.require(
        units[asked.key] <= swarm.setup.share(members),
        Invariant.SHARE_WITHIN_BOUND,
        () ->
            "%s admitted %d by itself, one of %d members"
                .formatted(asked, units[asked.key], members));
  }

  /** Every check has its answer, but for those whose process has ended. */
  void requireAnswers() {
    for (Asked asked : all) {
      swarm.findings.require(
          asked.isAnswered() || asked.node.hasEnded(),
          Invariant.ANSWERED,
          () -> asked + " is never answered");
    }
  }

  /** Whether a process has checks of callers under way. */
  boolean hasPending(Node node) {
    return all.stream()
        .anyMatch(asked -> asked.node == node && asked.begunNanos >= 0 && !asked.isAnswered());
  }

  private static String tell(Verdict verdict) {
    String left =
        verdict.limits().isEmpty()
            ? ""
            : ", %d left".formatted(verdict.limits().get(0).answer().remaining());
    return "%s %s by %s%s"
        .formatted(
            verdict.allowed() ? "ALLOWED" : "DENIED",
            verdict.certainty().text(),
            verdict.owner(),
            left);
  }
}
