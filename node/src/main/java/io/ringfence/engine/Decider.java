package io.ringfence.engine;

import io.ringfence.algorithms.Decision;
import io.ringfence.engine.LimitVerdict.Answer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides on counters that this node holds: all pass, or nothing is charged.
 *
 * <p>The step holds the locks of all its counters at once, taken in the order of their keys so that
 * two steps can never wait for each other. The clock is read inside the locks: time that passed
 * while waiting for them counts, and one reading serves the decision and every number that explains
 * it. First each counter is asked; only when none denies is each charged. A counter that left the
 * table between the look-up and the lock is looked up again.
 *
 * <p>Thread-safe. Blocks only on the locks, which are held for the arithmetic of one step.
 */
final class Decider {
  private final Slots slots;
  private final Clock clock;

  Decider(Slots slots, Clock clock) {
    this.slots = slots;
    this.clock = clock;
  }

  /** Charges all targets if all pass. */
  Step charge(List<Target> targets) {
    while (true) {
      Counter[] counters = new Counter[targets.size()];
      Moment before = Moment.of(clock);
      for (int i = 0; i < counters.length; i++) {
        Target target = targets.get(i);
        Counter counter =
            slots.getOrCreate(target.slot(), target.key(), target.algorithm(), before);
        if (counter == null) {
          return Step.NO_ROOM;
        }
        counters[i] = counter;
      }
      Step step = locked(counters, targets);
      if (step != null) {
        return step;
      }
    }
  }

  /** What a charge would be told; no counter is made for it. */
  Step peek(List<Target> targets) {
    boolean passed = true;
    List<Answer> answers = new ArrayList<>(targets.size());
    for (Target target : targets) {
      Counter counter = slots.get(target.slot(), target.key());
      Slot slot = slots.slot(target.slot());
      if (counter == null) {
        counter = new Counter(target.key(), slot, target.algorithm(), Moment.of(clock));
      }
      synchronized (counter) {
        if (!slot.isOpen()) {
          return Step.NOT_OPEN;
        }
        Moment now = Moment.of(clock);
        counter.adopt(target.algorithm(), now);
        Answer answer = answer(counter, counter.peek(target.cost(), now), now);
        passed &= answer.allowed() || target.shadow();
        answers.add(answer);
      }
    }
    return Step.decided(passed, answers, List.of());
  }

  private @Nullable Step locked(Counter[] counters, List<Target> targets) {
    if (counters.length == 1) {
      synchronized (counters[0]) {
        return decide(counters, targets);
      }
    }
    Counter[] lockOrder = counters.clone();
    Arrays.sort(lockOrder, (a, b) -> a.key().compareTo(b.key()));
    return lockFrom(0, lockOrder, counters, targets);
  }

  private @Nullable Step lockFrom(
      int next, Counter[] lockOrder, Counter[] counters, List<Target> targets) {
    if (next == lockOrder.length) {
      return decide(counters, targets);
    }
    synchronized (lockOrder[next]) {
      return lockFrom(next + 1, lockOrder, counters, targets);
    }
  }

  /** Called with the locks of all counters held; null if one of them has left the table. */
  private @Nullable Step decide(Counter[] counters, List<Target> targets) {
    Moment now = Moment.of(clock);
    Decision[] decisions = new Decision[counters.length];
    boolean passed = true;
    for (int i = 0; i < counters.length; i++) {
      Target target = targets.get(i);
      if (!counters[i].slot().isOpen()) {
        return Step.NOT_OPEN;
      }
      if (counters[i].removed()) {
        return null;
      }
      counters[i].adopt(target.algorithm(), now);
      decisions[i] = counters[i].peek(target.cost(), now);
      passed &= decisions[i].allowed() || target.shadow();
    }
    List<Step.Charge> charges = passed ? chargeAll(counters, targets, decisions, now) : List.of();
    Answer[] answers = new Answer[counters.length];
    for (int i = 0; i < counters.length; i++) {
      answers[i] = answer(counters[i], decisions[i], now);
    }
    return Step.decided(passed, Arrays.asList(answers), charges);
  }

  private static List<Step.Charge> chargeAll(
      Counter[] counters, List<Target> targets, Decision[] decisions, Moment now) {
    List<Step.Charge> charges = new ArrayList<>(counters.length);
    for (int i = 0; i < counters.length; i++) {
      if (decisions[i].allowed()) {
        long cost = targets.get(i).cost();
        decisions[i] = counters[i].charge(cost, now);
        charges.add(new Step.Charge(counters[i], cost, now, counters[i].generation()));
      }
    }
    return charges;
  }

  private static Answer answer(Counter counter, Decision decision, Moment now) {
    Moment knownSince = counter.slot().knownSince();
    boolean assumed = knownSince != null && counter.mayMiss(knownSince, now);
    return new Answer(
        decision.allowed(),
        decision.limit(),
        decision.remaining(),
        decision.retryAfterNanos(),
        now.toEpochMillis(counter.timeline(), decision.resetAtNanos()),
        decision.delayNanos(),
        assumed ? Certainty.ASSUMED : Certainty.EXACT);
  }
}
