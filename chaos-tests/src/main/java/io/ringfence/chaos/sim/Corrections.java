package io.ringfence.chaos.sim;

import static io.ringfence.chaos.sim.Invariant.TRUE_NUMBERS;
import static java.util.Objects.requireNonNull;

import io.ringfence.chaos.virtual.Findings;
import io.ringfence.engine.LimitVerdict.Answer;
import io.ringfence.engine.message.CounterAsk;
import io.ringfence.engine.message.LiftMessage;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Follows refunds, resets and forced debits to the counters that they change.
 *
 * <p>Nothing shows the instant at which a node carries one out, but this: an owner that has it and
 * is open does so at once, and a node that tells others to forget a denial has just done so. An
 * answer may come much later, when all others have learned of it. Else it may have been done in any
 * turn in which its call could go on.
 */
final class Corrections {
  private final Books books;
  private final Suspects suspects;
  private final Findings findings;

  // counters of which the node tells others in this turn that they need not wait
  private final Set<CounterName> lifts = new HashSet<>();

  Corrections(Books books, Suspects suspects, Findings findings) {
    this.books = books;
    this.suspects = suspects;
    this.findings = findings;
  }

  /** A node tells another that nobody need wait for some counters. */
  void lifts(LiftMessage message) {
    message.lifted().forEach(lifted -> lifts.add(CounterName.of(lifted)));
  }

  /**
   * A node has a question that corrects its counters, could carry it out in this turn, and has not
   * answered: it has, and waits until other members have learned of it.
   */
  void carriedOut(SimNode holder, Reception reception) {
    Question question = reception.question;
    Call call = requireNonNull(question.call);
    List<CounterAsk> asks = question.message.counters();
    for (CounterAsk ask : asks) {
      CounterName name = CounterName.of(ask);
      if (reception.corrected.add(name)) {
        books.correct(holder, name, question.message.mode(), ask.cost());
        suspects.touch(call, call.names.indexOf(name));
      }
    }
  }

  /**
   * A node has a lease again, and a question that may have waited for one: it may have carried it
   * out now, in whatever order with others that waited, or have given it up.
   */
  void cannotTell(SimNode holder, Reception reception) {
    for (CounterAsk ask : reception.question.message.counters()) {
      CounterName name = CounterName.of(ask);
      if (reception.corrected.add(name)) {
        books.at(holder, name).becomesUnsure();
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
   * Several calls went on in one turn, this one among them perhaps: in which order they came to the
   * counters that it corrects does not show.
   */
  void cannotBeOrdered(Call call) {
    for (CounterName name : call.names) {
      if (!call.corrected.contains(name) && books.owns(call.node, name)) {
        books.at(call.node, name).becomesUnsure();
      }
    }
  }

  /** A call is not over, and counts at a counter of its own node. */
  void wentOn(Call call, int index, int lifted) {
    if (call.asks.get(index).rule().order().stage() == lifted) {
      corrects(call, index);
    } else {
      mayCorrect(call, index);
    }
  }

  /** A call has ended, and was answered by a counter of its own node. */
  void decidedHere(Call call, int index, Answer answer, boolean thisInstant) {
    CounterName name = call.names.get(index);
    int stage = call.asks.get(index).rule().order().stage();
    int elsewhere = lastStageElsewhere(call);
    if (!thisInstant && !lifts.contains(name) && (elsewhere == 0 || elsewhere >= stage)) {
      mayCorrect(call, index);
    } else if (call.corrected.add(name)) {
      books.correct(call.node, name, call.plan.mode(), call.asks.get(index).cost());
      holds(call.node, call, name, answer);
    }
  }

  /** The turn is over. */
  void settled() {
    lifts.clear();
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
  int stageThatLifts(Call call) {
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
      suspects.touch(call, index);
    }
  }

  private void mayCorrect(Call call, int index) {
    if (!call.corrected.contains(call.names.get(index))) {
      suspects.touch(call, index).guesses().add(new Suspects.Guess.Corrected(call));
    }
  }
}
