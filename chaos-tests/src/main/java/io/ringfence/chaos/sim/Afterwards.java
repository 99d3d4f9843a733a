package io.ringfence.chaos.sim;

import static io.ringfence.chaos.sim.Invariant.ANSWERED_ONCE;
import static io.ringfence.chaos.sim.Invariant.COPIES_AGREE;
import static io.ringfence.chaos.sim.Invariant.DENIED_CHARGES_NOTHING;
import static io.ringfence.chaos.sim.Invariant.NEVER_OVER;
import static io.ringfence.chaos.sim.Invariant.QUIET_AFTERWARDS;
import static io.ringfence.chaos.sim.Invariant.RECOVERS;
import static io.ringfence.chaos.sim.Invariant.REPEATED_ALIKE;
import static java.util.Objects.requireNonNull;

import io.ringfence.chaos.sim.NodeClock.Instants;
import io.ringfence.chaos.virtual.Findings;
import io.ringfence.engine.Certainty;
import io.ringfence.engine.Verdict;
import io.ringfence.engine.message.Deed;
import io.ringfence.rules.Ask;
import io.ringfence.rules.Durability;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What must hold once a run has come to rest. */
final class Afterwards {
  private static final long PROBE_NANOS = Scenario.FORWARD.probe().toNanos();
  private static final long IDLE_NANOS =
      50_000_000_000L; // the slowest bucket is full again, and swept
  private static final long LIFTS_NANOS = 5_000_000_000L; // the longest pause between two lifts
  private static final long COPY_NANOS = 10_000_000; // from one turn of copying to the next
  private static final long RESEND_NANOS = 250_000_000; // copies not acknowledged are sent again
  private static final long COPYING_NANOS = 5_000_000_000L; // by when it has come to rest
  private static final int STANDING_TIMERS = 2; // of the sweep, of copying
  private static final int RUNS_PER_IDLE_RUN = 23; // prime to the turns of the kinds

  private final Simulation run;
  private final Findings findings;

  Afterwards(Simulation run) {
    this.run = run;
    this.findings = run.findings;
  }

  private record Sample(Call call, int index) {}

  void look() {
    everythingIsAnswered();
    deniedChecksLeftNothing();
    neverOverByVerdictsAlone();
    repeatedRequestsAreDoneOnce();
    copiesAgree();
    run.witness.books.debts.noneIsDebitedMoreThanWasAdmitted();
    nothingIsLeftWaiting();
    countersAreAsTheBooksSay();
    everyNodeServesExactly();
    if (run.scenario.seed() % RUNS_PER_IDLE_RUN == 0) {
      idleCountersLeave();
    }
  }

  private void everythingIsAnswered() {
    for (Call call : run.witness.calls()) {
      findings.require(
          !call.pending(), ANSWERED_ONCE, () -> "%s was never answered".formatted(call));
    }
  }

  private void deniedChecksLeftNothing() {
    for (Charge charge : run.witness.books.charges()) {
      Question question = charge.question;
      boolean excused =
          question != null
              && (question.disturbed || !question.answeredInTime)
              && (question.cancelled || !question.chargeIsKnown);
      boolean held = run.witness.books.mayStandForRepeat(charge);
      findings.require(
          !charge.call.denied() || !charge.stands() || excused || held,
          DENIED_CHARGES_NOTHING,
          () -> "%s was denied and is still charged at %s".formatted(charge.call, charge.holder));
    }
  }

  /**
   * Requests with a name: each is charged once at each counter, and all that owners answered to it
   * is the same.
   */
  private void repeatedRequestsAreDoneOnce() {
    record Once(CounterName counter, PlannedCall.Name request) {}
    Set<Once> charged = new HashSet<>();
    for (Charge charge : run.witness.books.charges()) {
      PlannedCall.Name request = charge.call.plan.name();
      if (request != null && charge.stands()) {
        findings.require(
            charged.add(new Once(charge.name, request)),
            REPEATED_ALIKE,
            () -> "%s was charged again at %s".formatted(charge.call, charge.holder));
      }
    }
    Map<PlannedCall.Name, Call> firsts = new HashMap<>();
    for (Call call : run.witness.calls()) {
      PlannedCall.Name request = call.plan.name();
      Verdict verdict = call.verdict;
      if (request == null || verdict == null || verdict.certainty() != Certainty.EXACT) {
        continue;
      }
      Call first = firsts.putIfAbsent(request, call);
      findings.require(
          first == null || requireNonNull(first.verdict).allowed() == verdict.allowed(),
          REPEATED_ALIKE,
          () -> "%s and %s are one request, and answered differently".formatted(first, call));
    }
  }

  /**
   * What was admitted as exact, by verdicts and their times alone: wherever between call and answer
   * each charge was made, no span holds more than the limit admits in it.
   */
  private void neverOverByVerdictsAlone() {
    Map<CounterName, List<Sample>> admitted = new LinkedHashMap<>();
    Set<PlannedCall.Name> requests = new HashSet<>();
    for (Call call : run.witness.calls()) {
      PlannedCall.Name request = call.plan.name();
      Verdict verdict = request == null || requests.add(request) ? call.verdict : null;
      for (int i = 0; verdict != null && call.admitted() && i < call.asks.size(); i++) {
        var answer = Probe.answerOf(verdict, call.asks.get(i));
        if (answer != null && answer.allowed() && answer.certainty() == Certainty.EXACT) {
          admitted
              .computeIfAbsent(call.names.get(i), unused -> new ArrayList<>())
              .add(new Sample(call, i));
        }
      }
    }
    admitted.keySet().removeIf(name -> !run.witness.books.givingBackTo(name).isEmpty());
    admitted.values().forEach(this::neverOver);
  }

  private void neverOver(List<Sample> admitted) {
    Sample any = admitted.get(0);
    ReferenceCounter counter =
        ReferenceCounter.of(any.call().asks.get(any.index()).limit().algorithm());
    for (int from = 0; from < admitted.size(); from++) {
      long sum = 0;
      long end = 0;
      long begin = admitted.get(from).call().beganNanos;
      for (int to = from; to < admitted.size(); to++) {
        Sample sample = admitted.get(to);
        sum += sample.call().asks.get(sample.index()).cost();
        end = Math.max(end, sample.call().answeredNanos);
        if (sum > counter.mostWithin(end - begin)) {
          findings.broken(
              NEVER_OVER,
              "%d were admitted of %s from %s to %s"
                  .formatted(
                      sum,
                      any.call().asks.get(any.index()).rule().name(),
                      admitted.get(from).call(),
                      sample.call()));
          return;
        }
      }
    }
  }

  private void nothingIsLeftWaiting() {
    if (run.nodes().stream().anyMatch(node -> node.timers > STANDING_TIMERS)) {
      run.pass(LIFTS_NANOS);
    }
    for (SimNode node : run.nodes()) {
      findings.require(
          node.timers <= STANDING_TIMERS + run.witness.debitsUnderWay(node),
          QUIET_AFTERWARDS,
          () -> "%s has %d timers too many".formatted(node, node.timers - STANDING_TIMERS));
    }
  }

  /** Each counter that is known, with a call that counts at it. */
  private Map<CounterName, Sample> samples() {
    Map<CounterName, Sample> samples = new LinkedHashMap<>();
    for (Call call : run.witness.calls()) {
      for (int i = 0; i < call.names.size(); i++) {
        samples.putIfAbsent(call.names.get(i), new Sample(call, i));
      }
    }
    return samples;
  }

  private void countersAreAsTheBooksSay() {
    samples().values().forEach(each -> run.witness.audit(ownerOf(each), each.call(), each.index()));
  }

  private SimNode ownerOf(Sample sample) {
    Ask.Place place = sample.call().asks.get(sample.index()).place();
    return run.nodes().stream().filter(node -> node.owns(place)).findFirst().orElseThrow();
  }

  private SimNode backupOf(Sample sample) {
    Ask.Place place = sample.call().asks.get(sample.index()).place();
    return run.nodes().stream().filter(node -> node.backsUp(place)).findFirst().orElseThrow();
  }

  /** Once nothing is left to be copied, each copy says what its counter says; if it is to be. */
  private void copiesAgree() {
    copyingComesToRest();
    if (samples().values().stream().anyMatch(sample -> !agrees(sample))) {
      copyingComesToRest(); // something may have been debited at that very moment
      for (Sample sample : samples().values()) {
        findings.require(agrees(sample), COPIES_AGREE, () -> disagreement(sample));
      }
    }
  }

  private void copyingComesToRest() {
    long untilNanos = run.agenda.now() + COPYING_NANOS;
    do {
      run.pass(COPY_NANOS);
    } while (run.witness.copies.quietNanos() <= RESEND_NANOS + COPY_NANOS
        && run.agenda.now() < untilNanos
        && findings.none());
    findings.require(
        run.agenda.now() < untilNanos,
        QUIET_AFTERWARDS,
        () -> "copies are sent for %d s and more".formatted(COPYING_NANOS / 1_000_000_000));
  }

  private boolean agrees(Sample sample) {
    Ask ask = sample.call().asks.get(sample.index());
    CounterName name = sample.call().names.get(sample.index());
    ReferenceCounter counter =
        ask.rule().effect().failure().durability() == Durability.NONE
            ? ReferenceCounter.of(ask.limit().algorithm())
            : run.witness.books.at(ownerOf(sample), name);
    return Probe.copied(backupOf(sample), sample.call(), sample.index())
        .isOf(counter, ask, timeOfCopy(sample));
  }

  /**
   * The instant of the owner's at which its counter says what the copy says now: ages count from
   * the receipt of the message that told them, and windows go by the backup's wall time, but never
   * back.
   */
  private Instants timeOfCopy(Sample sample) {
    Copies.Copied latest = run.witness.copies.latest(sample.call().names.get(sample.index()));
    SimNode owner = ownerOf(sample);
    long lagNanos = latest.takenNanos() - latest.madeNanos();
    return new Instants(
        owner.clock.elapsedNanos() - lagNanos,
        Math.max(
            owner.clock.at(latest.madeNanos()).wallNanos(),
            backupOf(sample).clock.now().wallNanos()));
  }

  private String disagreement(Sample sample) {
    SimNode owner = ownerOf(sample);
    CounterName name = sample.call().names.get(sample.index());
    return "%s has of %s: %s; at %s it was charged %s, %s of %s"
        .formatted(
            backupOf(sample),
            sample.call().asks.get(sample.index()).rule().name(),
            Probe.copied(backupOf(sample), sample.call(), sample.index()),
            owner,
            run.witness.books.at(owner, name).entries,
            run.witness.copies.latest(name),
            timeOfCopy(sample));
  }

  /**
   * Every node peeks at its part of the counters, twice: once so that open breakers may probe, and
   * once more, when everybody must be answered by an owner.
   */
  private void everyNodeServesExactly() {
    run.pass(PROBE_NANOS); // what the last debits cost a breaker is past
    peekAll();
    run.pass(PROBE_NANOS + Scenario.DEADLINE_NANOS);
    List<Call> peeks = peekAll();
    run.pass(Scenario.DEADLINE_NANOS * 2);
    for (Call peek : peeks) {
      Verdict verdict = peek.verdict;
      boolean byOwner = verdict != null && verdict.certainty() == Certainty.EXACT;
      findings.require(
          byOwner,
          RECOVERS,
          () -> "%s at %s is not answered by an owner: %s".formatted(peek, peek.node, verdict));
    }
  }

  private List<Call> peekAll() {
    List<SimNode> nodes = run.nodes();
    List<Call> peeks = new ArrayList<>();
    int next = 0;
    for (Sample sample : samples().values()) {
      SimNode node = nodes.get(next++ % nodes.size());
      var check = Probe.check(sample.call(), sample.index());
      run.pass(Scenario.CALL_GRID_NANOS);
      if (findings.none()) {
        peeks.add(
            run.peek(
                node,
                new PlannedCall(
                    run.agenda.now(), 0, check.request(), check.cost(), Deed.Mode.PEEK, null)));
      }
    }
    return peeks;
  }

  private void idleCountersLeave() {
    run.pass(IDLE_NANOS);
    for (SimNode node : run.nodes()) {
      findings.require(
          node.engine().keys() == 0,
          QUIET_AFTERWARDS,
          () -> "%s keeps %d idle counters".formatted(node, node.engine().keys()));
    }
  }
}
