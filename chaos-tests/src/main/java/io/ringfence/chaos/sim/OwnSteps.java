package io.ringfence.chaos.sim;

import static io.ringfence.chaos.sim.Invariant.ADMITTED_IS_CHARGED;
import static io.ringfence.chaos.sim.Invariant.DELIVERED_IS_KEPT;
import static io.ringfence.chaos.sim.Invariant.NEVER_FALSELY_DENIED;
import static io.ringfence.chaos.sim.Invariant.NEVER_OVER;
import static io.ringfence.chaos.sim.Invariant.ONE_VERDICT;
import static io.ringfence.chaos.sim.Invariant.ONLY_OWNERS_DECIDE;
import static io.ringfence.chaos.sim.Invariant.TRUE_AMOUNTS;
import static io.ringfence.chaos.sim.Invariant.TRUE_NUMBERS;
import static java.util.Objects.requireNonNull;

import io.ringfence.chaos.sim.NodeClock.Instants;
import io.ringfence.chaos.sim.Probe.Held;
import io.ringfence.chaos.sim.ReferenceCounter.Reading;
import io.ringfence.engine.Certainty;
import io.ringfence.engine.LimitVerdict;
import io.ringfence.engine.LimitVerdict.Answer;
import io.ringfence.engine.Verdict;
import io.ringfence.engine.message.CounterAsk;
import io.ringfence.engine.message.LiftMessage;
import io.ringfence.rules.Ask;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

  // the counters to be probed at the end of the turn, and a call that counts at each
  private final Map<CounterName, Touched> touched = new LinkedHashMap<>();

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
  }

  // counters of which the node tells others in this turn that they need not wait
  private final Set<CounterName> lifts = new HashSet<>();

  private record Touched(Call call, int index, List<Guess> guesses) {}

  /** What a call may have done at a counter in this turn. */
  private sealed interface Guess {
    Call call();

    /** Charged it, or that and taken it back. */
    record Charged(Call call, boolean tookBack) implements Guess {}

    /** Refunded, reset or debited it. */
    record Corrected(Call call) implements Guess {}
  }

  /** A node tells another that nobody need wait for some counters. */
  void lifts(LiftMessage message) {
    message.lifted().forEach(lifted -> lifts.add(CounterName.of(lifted)));
  }

  /** A cancel took something back. */
  void takenBack(List<Charge> charges) {
    for (Charge charge : charges) {
      if (charge.state() != Charge.State.GONE) {
        touch(charge.call, charge.call.names.indexOf(charge.name));
      }
    }
  }

  /**
   * A node has a question that corrects its counters, could carry it out in this turn, and has not
   * answered: it has, and waits until other members have learned of it.
   */
  void carriedOut(SimNode holder, Reception reception) {
    Question question = reception.question;
    Call call = requireNonNull(question.call);
    List<CounterAsk> asks = question.message.counters();
    if (!asks.stream().allMatch(ask -> books.owns(holder, CounterName.of(ask)))) {
      return;
    }
    for (CounterAsk ask : asks) {
      CounterName name = CounterName.of(ask);
      if (reception.corrected.add(name)) {
        books.correct(holder, name, question.message.mode(), ask.cost());
        touch(call, call.names.indexOf(name));
      }
    }
  }

  /** A node answers a question that corrects its counters. */
  void corrected(SimNode holder, Reception reception, List<Answer> answers) {
    Question question = reception.question;
    Call call = requireNonNull(question.call);
    List<CounterAsk> asks = question.message.counters();
    for (int i = 0; i < asks.size(); i++) {
      CounterName name = CounterName.of(asks.get(i));
      if (reception.corrected.add(name)) {
        books.mayDecide(holder, call, name, answers.get(i));
        books.correct(holder, name, question.message.mode(), asks.get(i).cost());
        holds(holder, call, name, answers.get(i));
      }
    }
  }

  /** A correction says what is left after it. */
  private void holds(SimNode holder, Call call, CounterName name, Answer answer) {
    ReferenceCounter counter = books.at(holder, name);
    long remaining = counter.remaining(holder.clock.now());
    long off = Math.abs(remaining - answer.remaining());
    findings.require(
        counter.isUnsure() || off <= Math.min(1, counter.uncertainNanos()),
        TRUE_NUMBERS,
        () ->
            "%s told %s: %s; one counter has %d left"
                .formatted(holder, call, Messages.tell(answer), remaining));
  }

  /**
   * The turn of a node is over; those calls of it began, were told something, sent a question or
   * were answered. Other corrections that are under way there may have gone on as well.
   */
  void settle(SimNode node, Collection<Call> progressed, Collection<Call> corrections) {
    boolean alone = progressed.size() == 1;
    if (!alone) {
      progressed.stream().filter(call -> call.plan.corrects()).forEach(this::cannotBeOrdered);
      corrections.forEach(this::cannotBeOrdered);
    }
    progressed.forEach(call -> mayOwe(node, call));
    node.byPolicy.clear();
    for (Call call : progressed) {
      Verdict verdict = call.verdict;
      if (verdict == null) {
        wentOn(call, stageThatLifts(call));
      } else {
        ended(call, verdict, alone);
      }
    }
    corrections.stream().filter(call -> !progressed.contains(call)).forEach(c -> wentOn(c, 0));
    touched.values().forEach(each -> verify(node, each));
    touched.clear();
    lifts.clear();
    books.debts.owedBy(node, debt -> mayHavePaidItself(node, debt));
  }

  /**
   * Several calls went on in one turn, this one among them perhaps: in which order they came to the
   * counters that it corrects does not show.
   */
  private void cannotBeOrdered(Call call) {
    for (CounterName name : call.names) {
      if (!call.corrected.contains(name) && books.owns(call.node, name)) {
        books.at(call.node, name).becomesUnsure();
      }
    }
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
    ReferenceCounter counter = books.at(node, name);
    ReferenceCounter.Mark before = counter.mark();
    for (long units = 0; held != null && units <= debt.possible; units++) {
      counter.returnTo(before);
      if (units > 0) {
        counter.charge(units, node.clock.now());
      }
      if (matches(node, name, ask, held)) {
        if (!held.least().allowed()) {
          counter.becomesUnsure(); // how far beyond the limit does not show
        }
        return;
      }
    }
    counter.returnTo(before);
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

  /** A call is not over; what it corrects in that stage, it has corrected now, for sure. */
  private void wentOn(Call call, int lifted) {
    for (int i = 0; i < call.asks.size(); i++) {
      CounterName name = call.names.get(i);
      if (call.askedElsewhere(name) || !books.owns(call.node, name)) {
        continue;
      }
      call.ownedOnTheWay.add(name);
      if (call.plan.corrects()) {
        if (call.asks.get(i).rule().order().stage() == lifted) {
          corrects(call, i);
        } else {
          mayCorrect(call, i);
        }
      } else if (call.plan.isCheck() && call.ownChargeOf(name) == null) {
        mayHaveCharged(call, i);
      }
    }
  }

  /** The last stage of a call in which another node was asked; 0 where none was. */
  private static int lastStageElsewhere(Call call) {
    int last = 0;
    for (Question question : call.questions) {
      for (CounterAsk asked : question.message.counters()) {
        int index = call.names.indexOf(CounterName.of(asked));
        last = Math.max(last, call.asks.get(index).rule().order().stage());
      }
    }
    return last;
  }

  /**
   * The last stage of a call that its node has just carried out: the one with a counter of which it
   * tells others now; or 0. (Owners carry a stage out in one step.)
   */
  private int stageThatLifts(Call call) {
    int stage = 0;
    for (int i = 0; i < call.asks.size(); i++) {
      if (call.plan.corrects() && lifts.contains(call.names.get(i))) {
        stage = Math.max(stage, call.asks.get(i).rule().order().stage());
      }
    }
    return stage;
  }

  private void corrects(Call call, int index) {
    CounterName name = call.names.get(index);
    if (call.corrected.add(name)) {
      books.correct(call.node, name, call.plan.mode(), call.asks.get(index).cost());
      touch(call, index);
    }
  }

  private void mayCorrect(Call call, int index) {
    if (!call.corrected.contains(call.names.get(index))) {
      touch(call, index).guesses().add(new Guess.Corrected(call));
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
      touch(call, index).guesses().add(new Guess.Charged(call, false));
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
        decidedHere(call, i, answer, new Turn(alone, denying, repeating));
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
    List<List<ReferenceCounter.Entry>> held = new ArrayList<>(1);
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
      boolean charged =
          charges.stream()
              .anyMatch(c -> c.isFor(call, name) && c.state() != Charge.State.TAKEN_BACK);
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
      int elsewhere = lastStageElsewhere(call);
      boolean inThisTurn =
          thisInstant || lifts.contains(name) || (elsewhere > 0 && elsewhere < stage);
      if (!inThisTurn) {
        mayCorrect(call, index);
      } else if (call.corrected.add(name)) {
        books.correct(node, name, call.plan.mode(), ask.cost());
        holds(node, call, name, answer);
      }
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
      at.guesses().add(new Guess.Charged(call, true));
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
      boolean gone = own.state() == Charge.State.GONE;
      books.takeBack(own);
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
      mayHideCorrections(node, what, held);
      return;
    }
    int subsets = 1 << Math.min(what.guesses().size(), 10);
    for (int subset = 1; subset < subsets; subset++) {
      if (explains(node, what, held, subset)) {
        return;
      }
    }
    if (books.debts.owes(node, name)) {
      if (!what.guesses().isEmpty()) {
        books.at(node, name).becomesUnsure();
      }
      return; // it may have paid itself, which is looked at next
    }
    Reading expected = reading(node, name, call.asks.get(what.index()));
    findings.broken(
        TRUE_AMOUNTS,
        "%s holds of %s after %s: %s; the books say %s after %s"
            .formatted(
                node,
                call.asks.get(what.index()).rule().name(),
                call,
                held,
                expected,
                books.at(node, name).entries));
  }

  /**
   * The counter is as the books say, and would be so with a correction as well, as one that is
   * beyond its limit does not show how far: nobody can tell what it holds any more.
   */
  private void mayHideCorrections(SimNode node, Touched what, Held held) {
    CounterName name = what.call().names.get(what.index());
    ReferenceCounter counter = books.at(node, name);
    Instants now = node.clock.now();
    for (Guess guess : what.guesses()) {
      if (guess instanceof Guess.Corrected && !counter.isFresh(now)) {
        ReferenceCounter.Mark before = counter.mark();
        Call call = guess.call();
        long cost = call.asks.get(call.names.indexOf(name)).cost();
        books.correct(node, name, call.plan.mode(), cost);
        boolean hidden = matches(node, name, what.call().asks.get(what.index()), held);
        counter.returnTo(before);
        if (hidden) {
          counter.becomesUnsure();
        }
      }
    }
  }

  private boolean explains(SimNode node, Touched what, Held held, int subset) {
    CounterName name = what.call().names.get(what.index());
    ReferenceCounter counter = books.at(node, name);
    ReferenceCounter.Mark before = counter.mark();
    List<Charge> tried = new ArrayList<>();
    List<Guess.Corrected> corrections = new ArrayList<>();
    boolean fits = true;
    for (int i = 0; i < what.guesses().size(); i++) {
      if ((subset & (1 << i)) == 0) {
        continue;
      }
      Guess guess = what.guesses().get(i);
      Call call = guess.call();
      long cost = call.asks.get(call.names.indexOf(name)).cost();
      if (guess instanceof Guess.Corrected corrected) {
        books.correct(node, name, call.plan.mode(), cost);
        corrections.add(corrected);
      } else if (guess instanceof Guess.Charged charged) {
        fits &= counter.read(cost, node.clock.now()).allowed();
        Charge charge = books.charge(node, call, name, cost, null);
        tried.add(charge);
        if (charged.tookBack()) {
          charge.takeBack();
        }
      }
    }
    if (!matches(node, name, what.call().asks.get(what.index()), held)) {
      counter.returnTo(before);
      tried.forEach(books::forget);
      return false;
    }
    findings.require(
        fits, NEVER_OVER, () -> "%s charged %s beyond the limit".formatted(node, what.call()));
    corrections.forEach(correction -> correction.call().corrected.add(name));
    tried.forEach(charge -> chargedOnTheWay(node, charge));
    return true;
  }

  private void chargedOnTheWay(SimNode node, Charge charge) {
    if (charge.state() == Charge.State.TAKEN_BACK) {
      books.requests.forgot(node, charge.call, charge.name);
    } else {
      books.requests.answered(
          node, charge.call, charge.name, new Requests.First(null, true, true, true));
    }
  }

  private boolean matches(SimNode node, CounterName name, Ask ask, Held held) {
    return held.isOf(books.at(node, name), ask, node.clock.now());
  }

  /** What the books say of a counter, to be shown. */
  private Reading reading(SimNode node, CounterName name, Ask ask) {
    return books.at(node, name).read(ask.limit().algorithm().capacity(), node.clock.now());
  }
}
