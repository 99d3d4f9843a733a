package io.ringfence.chaos.sim;

import static io.ringfence.chaos.sim.Invariant.ADMITTED_IS_CHARGED;
import static io.ringfence.chaos.sim.Invariant.DELIVERED_IS_KEPT;
import static io.ringfence.chaos.sim.Invariant.FENCED;
import static io.ringfence.chaos.sim.Invariant.NEVER_FALSELY_DENIED;
import static io.ringfence.chaos.sim.Invariant.NEVER_OVER;
import static io.ringfence.chaos.sim.Invariant.ONE_VERDICT;
import static io.ringfence.chaos.sim.Invariant.ONLY_OWNERS_DECIDE;

import io.ringfence.chaos.sim.NodeClock.Instants;
import io.ringfence.chaos.sim.ReferenceCounter.Reading;
import io.ringfence.chaos.virtual.Agenda;
import io.ringfence.chaos.virtual.Findings;
import io.ringfence.engine.Certainty;
import io.ringfence.engine.LimitVerdict;
import io.ringfence.engine.LimitVerdict.Answer;
import io.ringfence.engine.Verdict;
import io.ringfence.rules.Ask;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a node did at its own counters, for its own callers, in one turn.
 *
 * <p>No port shows such a decision; its effect does. A call that was answered in the turn says
 * itself what was decided, so its charges are made in the books. A call that went on to another
 * owner may have been charged here on its way: then the counter holds more than the books say, by
 * exactly its cost. At the end of the turn each counter that came into question is probed, and must
 * hold what the books say.
 */
final class OwnSteps {
  private static final int CROWD = 32; // as docs/guarantees.md states it

  private final Books books;
  private final LocalShares shares;
  private final Findings findings;
  private final Agenda agenda;
  private final Function<SimNode, List<Call>> pendingAt;

  private final Suspects suspects;
  private final Corrections corrections;

  OwnSteps(
      Books books,
      LocalShares shares,
      Findings findings,
      Agenda agenda,
      Function<SimNode, List<Call>> pendingAt) {
    this.pendingAt = pendingAt;
    this.books = books;
    this.shares = shares;
    this.findings = findings;
    this.agenda = agenda;
    this.suspects = new Suspects(books, findings);
    this.corrections = new Corrections(books, suspects, findings);
  }

  Corrections corrections() {
    return corrections;
  }

  Suspects suspects() {
    return suspects;
  }

  /** A cancel took something back. */
  void takenBack(List<Charge> charges) {
    for (Charge charge : charges) {
      suspects.touch(charge.call, charge.call.names.indexOf(charge.name));
    }
  }

  /**
   * The turn of a node is over; those calls of it began, were told something, sent a question or
   * were answered. Other corrections that are under way there may have gone on as well.
   */
  void settle(SimNode node, Collection<Call> progressed, Collection<Call> correcting) {
    boolean alone = progressed.size() == 1;
    if (!alone) {
      progressed.stream()
          .filter(call -> call.plan.corrects())
          .forEach(corrections::cannotBeOrdered);
      correcting.forEach(corrections::cannotBeOrdered);
    }
    progressed.forEach(call -> mayOwe(node, call));
    node.byPolicy.clear();
    for (Call call : progressed) {
      Verdict verdict = call.verdict;
      if (verdict == null) {
        wentOn(call, corrections.stageThatLifts(call));
      } else {
        ended(call, verdict, alone);
      }
    }
    correcting.stream().filter(call -> !progressed.contains(call)).forEach(c -> wentOn(c, 0));
    corrections.settled();
    suspects.settle(node);
  }

  private void mayOwe(SimNode node, Call call) {
    for (int i = 0; i < call.asks.size(); i++) {
      if (node.byPolicy.contains(call.asks.get(i).rule())) {
        books.debts.mayHaveAdmitted(call, i);
      }
    }
  }

  /** A call is not over; what it corrects in that stage, it has corrected now, for sure. */
  private void wentOn(Call call, int lifted) {
    for (int i = 0; i < call.asks.size(); i++) {
      CounterName name = call.names.get(i);
      if (call.askedElsewhere(name) || !books.owns(call.node, name)) {
        continue;
      }
      if (call.plan.corrects()) {
        corrections.wentOn(call, i, lifted);
      } else if (call.plan.isCheck() && call.ownChargeOf(name) == null) {
        mayHaveCharged(call, i);
      }
    }
  }

  private void mayHaveCharged(Call call, int index) {
    CounterName name = call.names.get(index);
    Requests.First first = books.requests.of(call.node, call, name);
    boolean shadow = call.asks.get(index).rule().effect().presentation().shadow();
    if (first == null && shadow) {
      books.requests.answered(call.node, call, name, new Requests.First(null, false, true, false));
    }
    Charge earlier = first == null ? null : books.standingFor(call.node, call, name);
    if (earlier != null) {
      earlier.mayHold(call);
    }
    if (first == null || !first.sure() || !first.stands()) {
      suspects.touch(call, index).guesses().add(new Suspects.Guess.Charged(call, false));
    }
  }

  private void ended(Call call, Verdict verdict, boolean alone) {
    boolean passes = true;
    for (LimitVerdict limit : verdict.limits()) {
      passes &= !limit.denies();
    }
    boolean all = verdict.limits().size() == call.asks.size() || !verdict.allowed();
    findings.require(
        passes == verdict.allowed() && all,
        ONE_VERDICT,
        () -> "%s: allowed is %s against its limits".formatted(call, verdict.allowed()));
    if (call.fromDenyCache) {
      remembered(call, verdict);
      return;
    }
    Set<Integer> denying = new HashSet<>();
    Set<Integer> repeating = new HashSet<>();
    for (int i = 0; i < call.asks.size(); i++) {
      Ask ask = call.asks.get(i);
      Answer answer = Probe.answerOf(verdict, ask);
      Requests.First first = books.requests.of(call.node, call, call.names.get(i));
      boolean denies =
          answer != null && !answer.allowed() && !ask.rule().effect().presentation().shadow();
      if (denies && books.owns(call.node, call.names.get(i))) {
        denying.add(ask.rule().order().stage());
        if (first != null && !first.allowed()) {
          repeating.add(ask.rule().order().stage());
        }
      }
    }
    for (int i = 0; i < call.asks.size(); i++) {
      Answer answer = Probe.answerOf(verdict, call.asks.get(i));
      Answer told = call.toldBy(call.names.get(i), answer);
      if (told != null) {
        kept(call, i, told, answer);
      } else if (answer != null && byPolicy(answer)) {
        shares.answered(call, i, answer, agenda.now());
        takeBackOwn(call, i);
      } else if (answer != null) {
        requireLease(call, answer);
        decidedHere(call, i, answer, new Turn(alone, denying, repeating));
      }
    }
  }

  /**
   * A denial that the node remembered: of the limits that deny, at least one would deny as well if
   * its owner were asked now. (The others are told as they were.) Until a lift has come, a denial
   * may be due to a charge that was taken back meanwhile; and a wait until the edge of a window is
   * as long as the owner's wall clock makes it, which may have been set meanwhile.
   */
  private void remembered(Call call, Verdict verdict) {
    List<List<ReferenceCounter.Entry>> held = new ArrayList<>(1);
    for (int i = 0; i < call.asks.size(); i++) {
      Ask ask = call.asks.get(i);
      Answer answer = Probe.answerOf(verdict, ask);
      boolean denies =
          answer != null && !answer.allowed() && !ask.rule().effect().presentation().shadow();
      SimNode holder = denies ? books.holderOf(call.names.get(i)) : null;
      if (holder == null) {
        continue;
      }
      ReferenceCounter counter = books.at(holder, call.names.get(i));
      boolean excused =
          counter.isUnsure()
              || isCrowded(call.node, call.names.get(i))
              || counter.takenBackWithin(shares.liftNanos(), holder.clock.now())
              || shares.isBeingLifted(books.givingBackTo(call.names.get(i)), call)
              || (holder.clock.wasSet() && counter instanceof ReferenceWindow);
      if (excused || !counter.read(ask.cost(), holder.clock.now()).allowed()) {
        return;
      }
      held.add(counter.entries);
    }
    findings.broken(
        NEVER_FALSELY_DENIED,
        "%s denied %s from memory, and every owner would admit it: %s"
            .formatted(call.node, call, held));
  }

  /**
   * Whether so many calls of a node ask for a counter already that one more is denied for a moment.
   */
  private boolean isCrowded(SimNode node, CounterName name) {
    long asking =
        pendingAt.apply(node).stream()
            .filter(call -> call.plan.isCheck() && call.names.contains(name))
            .count();
    return asking >= CROWD;
  }

  /** What is answered in the turn in which it was asked was decided in it. */
  private void requireLease(Call call, Answer answer) {
    findings.require(
        call.beganNanos < agenda.now() || call.node.mayDecide(agenda.now()),
        FENCED,
        () -> "%s decided %s without a lease".formatted(call.node, Messages.tell(answer)));
  }

  private static boolean byPolicy(Answer answer) {
    return answer.certainty() == Certainty.DEGRADED || answer.certainty() == Certainty.CLOSED;
  }

  private void kept(Call call, int index, Answer told, @Nullable Answer answer) {
    boolean same =
        answer != null
            && told.allowed() == answer.allowed()
            && told.certainty() == answer.certainty()
            && told.retryAfterNanos() == answer.retryAfterNanos()
            && (call.denied() || told.remaining() == answer.remaining());
    findings.require(
        same,
        DELIVERED_IS_KEPT,
        () ->
            "%s was told %s and answered %s"
                .formatted(
                    call, Messages.tell(told), answer == null ? "nothing" : Messages.tell(answer)));
    if (call.admitted() && told.allowed()) {
      CounterName name = call.names.get(index);
      List<Charge> charges = call.plan.name() == null ? call.charges : books.charges();
      boolean charged = charges.stream().anyMatch(c -> c.isFor(call, name) && c.stands());
      findings.require(
          charged || (call.plan.name() != null && books.isUnsure(name)),
          ADMITTED_IS_CHARGED,
          () -> "%s was admitted and is not charged".formatted(call));
    }
  }

  /**
   * What matters to a counter of what else happened when a call ended.
   *
   * @param alone whether no other call went on in the same turn
   * @param denying the stages in which a counter of the call's own node denied it
   * @param repeating those in which one may have repeated an earlier denial of the same request
   */
  private record Turn(boolean alone, Set<Integer> denying, Set<Integer> repeating) {}

  private void decidedHere(Call call, int index, Answer answer, Turn turn) {
    SimNode node = call.node;
    CounterName name = call.names.get(index);
    Charge own = call.ownChargeOf(name);
    if (own != null) {
      if (call.denied()) {
        takeBackOwn(call, index);
      } else {
        books.requests.answered(node, call, name, Requests.First.done(answer));
      }
      return;
    }
    if (call.corrected.contains(name)) {
      return;
    }
    if (!books.owns(node, name)) {
      findings.broken(
          ONLY_OWNERS_DECIDE,
          "%s decided %s for %s without owning it or being told"
              .formatted(node, call.asks.get(index).rule().name(), call));
      return;
    }
    Suspects.Touched at = suspects.touch(call, index);
    Ask ask = call.asks.get(index);
    Instants now = node.clock.now();
    boolean thisInstant = call.beganNanos == agenda.now();
    boolean mayRepeat = books.requests.of(node, call, name) != null;
    int stage = ask.rule().order().stage();
    if (books.repeats(node, call, name, answer, turn.repeating().contains(stage))) {
      Charge earlier = books.standingFor(node, call, name);
      if (call.admitted() && earlier != null) {
        earlier.hold();
      }
      return;
    }
    books.mayDecide(node, call, name, answer);
    if (call.plan.corrects()) {
      corrections.decidedHere(call, index, answer, thisInstant);
      return;
    }
    Reading reading = Books.reading(books.at(node, name), ask.cost(), now, answer);
    boolean denying = turn.denying().contains(stage);
    if (call.admitted() || !answer.allowed() || denying) {
      boolean stands = call.admitted() || !denying;
      books.requests.answered(
          node, call, name, new Requests.First(answer, answer.allowed(), stands, true));
    } else {
      books.requests.forgot(node, call, name); // it was charged, and that was taken back
    }
    if (call.admitted() && answer.allowed()) {
      books.charge(node, call, name, ask.cost(), null);
      if (!reading.allowed()) {
        findings.broken(NEVER_OVER, "%s admitted %s: %s".formatted(node, call, reading));
      } else if (turn.alone() && thisInstant && !mayRepeat) {
        books.compare(node, call, name, Books.after(reading, books.at(node, name), now), answer);
      }
    } else if (call.denied() && answer.allowed() && call.plan.isCheck()) {
      at.guesses().add(new Suspects.Guess.Charged(call, true));
    } else if (turn.alone() && !mayRepeat && (thisInstant || deniesNow(call, ask, answer))) {
      books.compare(node, call, name, reading, answer);
    }
  }

  /** Whether a denial ended the call, and so was decided in this very turn. */
  private static boolean deniesNow(Call call, Ask ask, Answer answer) {
    return call.plan.isCheck() && !answer.allowed() && !ask.rule().effect().presentation().shadow();
  }

  private void takeBackOwn(Call call, int index) {
    Charge own = call.ownChargeOf(call.names.get(index));
    if (own != null && call.denied()) {
      books.takeBack(own);
      suspects.touch(call, index);
    }
  }
}
