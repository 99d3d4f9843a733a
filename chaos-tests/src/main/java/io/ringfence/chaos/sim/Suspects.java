package io.ringfence.chaos.sim;

import static io.ringfence.chaos.sim.Invariant.NEVER_OVER;
import static io.ringfence.chaos.sim.Invariant.TRUE_AMOUNTS;

import io.ringfence.chaos.sim.NodeClock.Instants;
import io.ringfence.chaos.sim.Probe.Held;
import io.ringfence.chaos.sim.ReferenceCounter.Reading;
import io.ringfence.chaos.virtual.Findings;
import io.ringfence.rules.Ask;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counters of a node that came into question in a turn, and what may have happened at each without
 * showing at a port. At the end of the turn each is probed, and must hold what the books say, or
 * that with some of what may have happened; which is then what has.
 */
final class Suspects {
  private final Books books;
  private final Findings findings;

  // the counters to be probed at the end of the turn, and a call that counts at each
  private final Map<CounterName, Touched> touched = new LinkedHashMap<>();

  Suspects(Books books, Findings findings) {
    this.books = books;
    this.findings = findings;
  }

  record Touched(Call call, int index, List<Guess> guesses) {}

  /** What a call may have done at a counter in this turn. */
  sealed interface Guess {
    Call call();

    /** Charged it, or that and taken it back. */
    record Charged(Call call, boolean tookBack) implements Guess {}

    /** Refunded, reset or debited it. */
    record Corrected(Call call) implements Guess {}
  }

  /** A counter of a call came into question. */
  Touched touch(Call call, int index) {
    return touched.computeIfAbsent(
        call.names.get(index), unused -> new Touched(call, index, new ArrayList<>(1)));
  }

  /** The turn of a node is over. */
  void settle(SimNode node) {
    touched.values().forEach(each -> verify(node, each));
    touched.clear();
    books.debts.owedBy(node, debt -> mayHavePaidItself(node, debt));
  }

  /** Looks at one counter that a node decides for, although nothing happened there. */
  void audit(SimNode node, Call call, int index) {
    verify(node, new Touched(call, index, List.of()));
  }

  /** A node that admitted something by itself for a counter of its own may have debited it now. */
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

  /** The counter must hold what the books say, or that and the charges of calls that went on. */
  private void verify(SimNode node, Touched what) {
    Call call = what.call();
    CounterName name = call.names.get(what.index());
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
    if (!charge.stands()) {
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
