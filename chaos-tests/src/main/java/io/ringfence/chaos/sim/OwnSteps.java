package io.ringfence.chaos.sim;

import static io.ringfence.chaos.sim.Invariant.ADMITTED_IS_CHARGED;
import static io.ringfence.chaos.sim.Invariant.DELIVERED_IS_KEPT;
import static io.ringfence.chaos.sim.Invariant.NEVER_FALSELY_DENIED;
import static io.ringfence.chaos.sim.Invariant.NEVER_OVER;
import static io.ringfence.chaos.sim.Invariant.ONE_VERDICT;
import static io.ringfence.chaos.sim.Invariant.ONLY_OWNERS_DECIDE;
import static io.ringfence.chaos.sim.Invariant.TRUE_AMOUNTS;

import io.ringfence.chaos.sim.NodeClock.Instants;
import io.ringfence.chaos.sim.Probe.Held;
import io.ringfence.chaos.sim.ReferenceCounter.Reading;
import io.ringfence.engine.Certainty;
import io.ringfence.engine.LimitVerdict;
import io.ringfence.engine.LimitVerdict.Answer;
import io.ringfence.engine.Verdict;
import io.ringfence.rules.Ask;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
  private final Books books;
  private final LocalShares shares;
  private final Findings findings;
  private final Agenda agenda;

  // the counters to be probed at the end of the turn, and a call that counts at each
  private final Map<CounterName, Touched> touched = new LinkedHashMap<>();

  OwnSteps(Books books, LocalShares shares, Findings findings, Agenda agenda) {
    this.books = books;
    this.shares = shares;
    this.findings = findings;
    this.agenda = agenda;
  }

  private record Touched(Call call, int index, List<Guess> guesses) {}

  /** What a call may have done at a counter in this turn: charged it, or that and taken it back. */
  private record Guess(Call call, boolean tookBack) {}

  /** A cancel took something back. */
  void takenBack(List<Charge> charges) {
    for (Charge charge : charges) {
      if (charge.state() != Charge.State.GONE) {
        touch(charge.call, charge.call.names.indexOf(charge.name));
      }
    }
  }

  /** The turn of a node is over; those calls of it sent a question or were answered. */
  void settle(SimNode node, Collection<Call> progressed) {
    boolean alone = progressed.size() == 1;
    progressed.forEach(call -> mayOwe(node, call));
    node.byPolicy.clear();
    for (Call call : progressed) {
      Verdict verdict = call.verdict;
      if (verdict == null) {
        wentOn(call);
      } else {
        ended(call, verdict, alone);
      }
    }
    touched.values().forEach(each -> verify(node, each));
    touched.clear();
    books.debts.owedBy(node, debt -> mayHavePaidItself(node, debt));
  }

  private void mayOwe(SimNode node, Call call) {
    for (int i = 0; i < call.asks.size(); i++) {
      if (node.byPolicy.contains(call.asks.get(i).rule())) {
        books.debts.mayHaveAdmitted(call, i);
      }
    }
  }

  /** A node that owns by now what it owed to another may have debited its own counter. */
  private void mayHavePaidItself(SimNode node, Debts.Debt debt) {
    CounterName name = debt.sample.names.get(debt.index);
    if (!books.owns(node, name)) {
      return;
    }
    Ask ask = debt.sample.asks.get(debt.index);
    Held held = Probe.now(node, debt.sample, debt.index);
    List<ReferenceCounter.Entry> entries = books.at(node, name).entries;
    for (long units = 0; held != null && units <= debt.possible; units++) {
      if (units > 0) {
        books.at(node, name).charge(units, node.clock.now());
      }
      if (matches(node, name, ask, held)) {
        if (!held.least().allowed()) {
          books.at(node, name).becomesUnsure(); // how far beyond the limit does not show
        }
        return;
      }
      if (units > 0) {
        entries.remove(entries.size() - 1);
      }
    }
    findings.broken(
        TRUE_AMOUNTS,
        "%s holds of %s what neither was charged nor is owed: %s; the books say %s and %d owed"
            .formatted(node, ask.rule().name(), held, reading(node, name, ask), debt.admitted));
  }

  /** Looks at one counter that a node holds, although nothing happened there. */
  void audit(SimNode node, Call call, int index) {
    verify(node, new Touched(call, index, List.of()));
  }

  private Touched touch(Call call, int index) {
    return touched.computeIfAbsent(
        call.names.get(index), unused -> new Touched(call, index, new ArrayList<>(1)));
  }

  private void wentOn(Call call) {
    for (int i = 0; i < call.asks.size(); i++) {
      CounterName name = call.names.get(i);
      if (call.askedElsewhere(name) || !books.owns(call.node, name)) {
        continue;
      }
      call.ownedOnTheWay.add(name);
      if (!call.plan.peek() && call.ownChargeOf(name) == null) {
        touch(call, i).guesses().add(new Guess(call, false));
      }
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
    for (int i = 0; i < call.asks.size(); i++) {
      Answer answer = Probe.answerOf(verdict, call.asks.get(i));
      Answer told = call.toldBy(call.names.get(i), answer);
      if (told != null) {
        kept(call, i, told, answer);
      } else if (answer != null && byPolicy(answer)) {
        shares.answered(call, i, answer, agenda.now());
        takeBackOwn(call, i);
      } else if (answer != null) {
        decidedHere(call, i, answer, alone);
      }
    }
  }

  /**
   * A denial that the node remembered: of the limits that deny, at least one would deny as well if
   * its owner were asked now. (The others are told as they were.) Who the owner is, is sure only
   * where views do not change. Until a lift has come, a denial may be due to a charge that was
   * taken back meanwhile; and a wait until the edge of a window is as long as the owner's wall
   * clock makes it, which may have been set meanwhile.
   */
  private void remembered(Call call, Verdict verdict) {
    for (int i = 0; i < call.asks.size(); i++) {
      Ask ask = call.asks.get(i);
      Answer answer = Probe.answerOf(verdict, ask);
      boolean denies =
          answer != null && !answer.allowed() && !ask.rule().effect().presentation().shadow();
      SimNode holder = denies ? books.onlyHolderOf(call.names.get(i)) : null;
      if (!denies) {
        continue;
      }
      if (holder == null) {
        return;
      }
      ReferenceCounter counter = books.at(holder, call.names.get(i));
      boolean excused =
          counter.takenBackWithin(shares.liftNanos(), holder.clock.now())
              || (holder.clock.wasSet() && counter instanceof ReferenceWindow);
      if (excused || !counter.read(ask.cost(), holder.clock.now()).allowed()) {
        return;
      }
    }
    findings.broken(
        NEVER_FALSELY_DENIED,
        "%s denied %s from memory, and every owner would admit it".formatted(call.node, call));
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
      boolean charged =
          call.charges.stream()
              .anyMatch(c -> c.name.equals(name) && c.state() != Charge.State.TAKEN_BACK);
      findings.require(
          charged, ADMITTED_IS_CHARGED, () -> "%s was admitted and is not charged".formatted(call));
    }
  }

  private void decidedHere(Call call, int index, Answer answer, boolean alone) {
    SimNode node = call.node;
    CounterName name = call.names.get(index);
    Charge own = call.ownChargeOf(name);
    if (own != null) {
      if (call.denied()) {
        takeBackOwn(call, index);
      }
      return;
    }
    if (!books.owns(node, name)) {
      findings.require(
          call.ownedOnTheWay.contains(name),
          ONLY_OWNERS_DECIDE,
          () ->
              "%s decided %s for %s without owning it or being told"
                  .formatted(node, call.asks.get(index).rule().name(), call));
      return;
    }
    Touched at = touch(call, index);
    Ask ask = call.asks.get(index);
    Instants now = node.clock.now();
    Reading reading = Books.reading(books.at(node, name), ask.cost(), now, answer);
    books.mayDecide(node, call, name, answer);
    boolean thisInstant = call.beganNanos == agenda.now();
    if (call.admitted() && answer.allowed()) {
      books.charge(node, call, name, ask.cost(), null);
      if (!reading.allowed()) {
        findings.broken(NEVER_OVER, "%s admitted %s: %s".formatted(node, call, reading));
      } else if (alone && thisInstant) {
        books.compare(node, call, name, Books.after(reading, books.at(node, name), now), answer);
      }
    } else if (call.denied() && answer.allowed() && !call.plan.peek()) {
      at.guesses().add(new Guess(call, true));
    } else if (alone && (thisInstant || deniesNow(call, ask, answer))) {
      books.compare(node, call, name, reading, answer);
    }
  }

  /** Whether a denial ended the call, and so was decided in this very turn. */
  private static boolean deniesNow(Call call, Ask ask, Answer answer) {
    return !call.plan.peek() && !answer.allowed() && !ask.rule().effect().presentation().shadow();
  }

  private void takeBackOwn(Call call, int index) {
    Charge own = call.ownChargeOf(call.names.get(index));
    if (own != null && call.denied()) {
      boolean gone = own.state() == Charge.State.GONE;
      own.takeBack();
      if (!gone) {
        touch(call, index);
      }
    }
  }

  /** The counter must hold what the books say, or that and the charges of calls that went on. */
  private void verify(SimNode node, Touched what) {
    Call call = what.call();
    CounterName name = call.names.get(what.index());
    if (!books.owns(node, name)) {
      return;
    }
    Held held = Probe.now(node, call, what.index());
    if (held == null) {
      findings.broken(TRUE_AMOUNTS, "%s does not say at once what it holds".formatted(node));
      return;
    }
    if (matches(node, name, call.asks.get(what.index()), held)) {
      return;
    }
    int subsets = 1 << Math.min(what.guesses().size(), 10);
    for (int subset = 1; subset < subsets; subset++) {
      if (explains(node, what, held, subset)) {
        return;
      }
    }
    Reading expected = reading(node, name, call.asks.get(what.index()));
    findings.broken(
        TRUE_AMOUNTS,
        "%s holds of %s after %s: %s; the books say %s"
            .formatted(node, call.asks.get(what.index()).rule().name(), call, held, expected));
  }

  private boolean explains(SimNode node, Touched what, Held held, int subset) {
    CounterName name = what.call().names.get(what.index());
    List<ReferenceCounter.Entry> before = List.copyOf(books.at(node, name).entries);
    List<Charge> tried = new ArrayList<>();
    boolean fits = true;
    for (int i = 0; i < what.guesses().size(); i++) {
      Guess guess = what.guesses().get(i);
      if ((subset & (1 << i)) != 0) {
        Call call = guess.call();
        long cost = call.asks.get(call.names.indexOf(name)).cost();
        fits &= books.at(node, name).read(cost, node.clock.now()).allowed();
        Charge charge = books.charge(node, call, name, cost, null);
        tried.add(charge);
        if (guess.tookBack()) {
          charge.takeBack();
        }
      }
    }
    if (matches(node, name, what.call().asks.get(what.index()), held)) {
      findings.require(
          fits, NEVER_OVER, () -> "%s charged %s beyond the limit".formatted(node, what.call()));
      return true;
    }
    tried.forEach(charge -> books.forget(charge, before));
    return false;
  }

  private boolean matches(SimNode node, CounterName name, Ask ask, Held held) {
    return held.isOf(books.at(node, name), ask, node.clock.now());
  }

  /** What the books say of a counter, to be shown. */
  private Reading reading(SimNode node, CounterName name, Ask ask) {
    return books.at(node, name).read(ask.limit().algorithm().capacity(), node.clock.now());
  }
}
