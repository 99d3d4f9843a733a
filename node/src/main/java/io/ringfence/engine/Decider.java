package io.ringfence.engine;

import io.ringfence.algorithms.Decision;
import io.ringfence.engine.LimitVerdict.Answer;
import io.ringfence.engine.message.Deed;
import io.ringfence.engine.message.Late;
import io.ringfence.engine.message.RequestKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Does to counters that this node holds what is asked: all of them in one locked step. Where they
 * are charged, all pass or nothing is.
 *
 * <p>The step holds the locks of all its counters at once, taken in the order of their keys so that
 * two steps can never wait for each other. The clock is read inside the locks: time that passed
 * while waiting for them counts, and one reading serves the decision and every number that explains
 * it. First each counter is asked; only when none denies is each charged. A counter that left the
 * table between the look-up and the lock is looked up again.
 *
 * <p>Between the two the clock is read once more, and the lease must run then; where it does not,
 * nothing is charged and the decision does not count. A process may be stopped anywhere, for long.
 * If that was before this reading, the reading tells. If it is after it, the answer is late but
 * right: at the reading no other node was allowed to decide for these counters, and nothing else
 * could change them, as their locks are held. A look at the lease before the decision would not do,
 * as that would be made by whatever time it is then.
 *
 * <p>A request that has a name is done once: what was answered for it is remembered under the same
 * locks, so that a repeat, however close, finds the first answer. A charge that is taken back is
 * forgotten with it, as a repeat must not pass on the strength of a charge that does not stand; nor
 * on that of one which was never made, as another counter of the step denied: such an answer is
 * given again only beside a denial that is. A repeat that passes on a charge holds it (see {@link
 * Claim}).
 *
 * <p>Thread-safe. Blocks only on the locks, which are held for the arithmetic of one step.
 */
final class Decider {
  private static final int MAX_ATTEMPTS = 100;

  private final Slots slots;
  private final Clock clock;
  private final BooleanSupplier mayDecide;
  private final RequestMemory memory;

  /**
   * A decider for counters of this node.
   *
   * @param mayDecide whether it may; reads the clock each time
   */
  Decider(Slots slots, EnginePorts ports, BooleanSupplier mayDecide) {
    this.slots = slots;
    this.clock = ports.clock();
    this.mayDecide = mayDecide;
    this.memory = new RequestMemory(ports.metrics());
  }

  /** Who asks, as far as it matters to a counter. */
  enum Asker {
    /** This node, which decides anew each time. */
    HERE,
    /** Another member, which remembers a denial for as long as it was told to wait. */
    ELSEWHERE
  }

  /** What became of a charge that was to be taken back. */
  enum Undone {
    /** Nothing: a repeat of its request holds it, or it counts elsewhere. */
    STANDS,
    /** It is taken back. */
    TAKEN_BACK,
    /** And somebody was told to wait, perhaps for this charge, and should be told otherwise. */
    LIFTS
  }

  /** Does the deed to all targets. */
  Step perform(Deed deed, List<Target> targets, Asker asker) {
    return switch (deed.mode()) {
      case PEEK -> peek(targets);
      case CHARGE, TENTATIVE, DEBIT, LATE, RECOVER -> attempts(deed, targets, asker, true);
      case REFUND, RESET -> attempts(deed, targets, asker, false);
    };
  }

  /**
   * Looks the counters up and does the deed, again if one of them left the table in between. In a
   * table with room for one more, two new counters of a step could push each other out for ever; so
   * there is an end to it.
   */
  private Step attempts(Deed deed, List<Target> targets, Asker asker, boolean create) {
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      Counter[] counters = create ? getOrCreate(targets, deed.tenant()) : getOrImagine(targets);
      Step step = counters == null ? null : locked(new Work(deed, targets, asker, counters));
      if (counters == null || step != null) {
        return step == null ? Step.NO_ROOM : step;
      }
    }
    return Step.NO_ROOM;
  }

  /**
   * Takes a charge back, as far as it still weighs, unless a repeat of its request counts on it.
   */
  Undone undo(Step.Charge charge) {
    synchronized (charge.counter()) {
      Claim claim = charge.claim();
      if (claim != null) {
        if (!claim.letGo()) {
          return Undone.STANDS;
        }
        memory.forget(claim.request(), charge.counter().key());
      }
      if (charge.counter().removed()) {
        return Undone.TAKEN_BACK;
      }
      if (!charge.counter().slot().isOpen()) {
        return Undone.STANDS; // what counts is with another node by now
      }
      Moment now = Moment.of(clock);
      charge.counter().undo(charge, now);
      return charge.counter().liftsDenial(now) ? Undone.LIFTS : Undone.TAKEN_BACK;
    }
  }

  private Counter @Nullable [] getOrCreate(List<Target> targets, int tenant) {
    Counter[] counters = new Counter[targets.size()];
    Moment before = Moment.of(clock);
    for (int i = 0; i < counters.length; i++) {
      Counter counter = slots.getOrCreate(targets.get(i), tenant, before);
      if (counter == null) {
        return null;
      }
      counters[i] = counter;
    }
    return counters;
  }

  /** The counters of the table, and in place of those that it lacks fresh ones outside it. */
  private Counter[] getOrImagine(List<Target> targets) {
    Counter[] counters = new Counter[targets.size()];
    for (int i = 0; i < counters.length; i++) {
      Target target = targets.get(i);
      Counter counter = slots.get(target.slot(), target.key());
      counters[i] = counter != null ? counter : slots.imagine(target, Moment.of(clock));
    }
    return counters;
  }

  /** What a charge would be told; no counter is made for it. */
  private Step peek(List<Target> targets) {
    boolean passed = true;
    List<Answer> answers = new ArrayList<>(targets.size());
    Counter[] counters = getOrImagine(targets);
    for (int i = 0; i < counters.length; i++) {
      Counter counter = counters[i];
      Target target = targets.get(i);
      synchronized (counter) {
        if (!counter.slot().isOpen()) {
          return Step.NOT_OPEN;
        }
        Answer answer = counter.look(target, Moment.of(clock));
        passed &= answer.allowed() || target.shadow();
        answers.add(answer);
      }
    }
    return mayDecide.getAsBoolean()
        ? Step.decided(passed, answers, List.of(), List.of())
        : Step.FENCED;
  }

  /** A step with its counters: {@code counters[i]} is that of {@code targets.get(i)}. */
  @SuppressWarnings("ArrayRecordComponent") // handed on once, never compared
  private record Work(Deed deed, List<Target> targets, Asker asker, Counter[] counters) {}

  private @Nullable Step locked(Work work) {
    Counter[] counters = work.counters();
    if (counters.length == 1) {
      synchronized (counters[0]) {
        return step(work);
      }
    }
    Counter[] lockOrder = counters.clone();
    Arrays.sort(lockOrder, (a, b) -> a.key().compareTo(b.key()));
    return lockFrom(0, lockOrder, work);
  }

  private @Nullable Step lockFrom(int next, Counter[] lockOrder, Work work) {
    if (next == lockOrder.length) {
      return step(work);
    }
    synchronized (lockOrder[next]) {
      return lockFrom(next + 1, lockOrder, work);
    }
  }

  /** Called with the locks of all counters held; null if one of them has left the table. */
  private @Nullable Step step(Work work) {
    Moment now = Moment.of(clock);
    Counter[] counters = work.counters();
    for (Counter counter : counters) {
      if (!counter.slot().isOpen()) {
        return Step.NOT_OPEN;
      }
      if (counter.removed()) {
        return null;
      }
    }
    for (int i = 0; i < counters.length; i++) {
      counters[i].adopt(work.targets().get(i).algorithm(), now);
    }
    RequestMemory.@Nullable First[] first = recall(work, now);
    return switch (work.deed().mode()) {
      case REFUND, RESET, DEBIT, LATE, RECOVER -> change(work, first, now);
      default -> charge(work, first, now);
    };
  }

  private Step charge(Work work, RequestMemory.@Nullable First[] first, Moment now) {
    Counter[] counters = work.counters();
    @Nullable Decision[] decisions = new Decision[counters.length];
    boolean passed = true;
    for (int i = 0; i < counters.length; i++) {
      Target target = work.targets().get(i);
      RequestMemory.First earlier = first[i];
      boolean allowed;
      if (earlier != null) {
        allowed = earlier.answer().allowed();
      } else {
        Decision decision = counters[i].peek(target.cost(), now);
        decisions[i] = decision;
        allowed = decision.allowed();
      }
      passed &= allowed || target.shadow();
    }
    if (!mayDecide.getAsBoolean()) {
      return Step.FENCED;
    }
    List<Step.Charge> charges = new ArrayList<>(counters.length);
    List<Answer> answers = new ArrayList<>(counters.length);
    for (int i = 0; i < counters.length; i++) {
      Decision decision = decisions[i];
      RequestMemory.First earlier = first[i];
      if (decision == null && earlier != null) {
        answers.add(earlier.answer());
        Step.Charge held = earlier.charge();
        if (passed && held != null) {
          join(work, held, charges);
        }
      } else if (decision != null) {
        Step.Charge charge = null;
        if (passed && decision.allowed()) {
          long cost = work.targets().get(i).cost();
          decision = counters[i].charge(cost, now);
          charge = charged(work, counters[i], cost, now);
          charges.add(charge);
        }
        Answer answer = counters[i].answer(decision, now);
        boolean tentative = work.deed().mode() == Deed.Mode.TENTATIVE;
        remember(
            work,
            counters[i],
            new RequestMemory.First(answer, passed, tentative ? charge : null),
            now);
        tell(work, i, answer, now);
        answers.add(answer);
      }
    }
    return Step.decided(passed, answers, charges, List.of());
  }

  private static Step.Charge charged(Work work, Counter counter, long cost, Moment now) {
    RequestKey request = work.deed().request();
    Claim claim = request == null ? null : Claim.first(request);
    if (work.deed().mode() == Deed.Mode.TENTATIVE) {
      counter.latestMayBeTakenBack(now);
    }
    return new Step.Charge(counter, cost, now, counter.latestChange(), claim);
  }

  /** The step passes on a charge that was made for the same request before. */
  private static void join(Work work, Step.Charge earlier, List<Step.Charge> charges) {
    Claim claim = earlier.claim();
    if (claim != null) {
      Claim another = claim.another();
      if (work.deed().mode() == Deed.Mode.TENTATIVE) {
        charges.add(earlier.heldBy(another));
      }
    }
  }

  private Step change(Work work, RequestMemory.@Nullable First[] first, Moment now) {
    if (!mayDecide.getAsBoolean()) {
      return Step.FENCED;
    }
    Counter[] counters = work.counters();
    List<Answer> answers = new ArrayList<>(counters.length);
    List<CounterKey> lifts = new ArrayList<>();
    for (int i = 0; i < counters.length; i++) {
      Counter counter = counters[i];
      RequestMemory.First earlier = first[i];
      if (earlier != null) {
        answers.add(earlier.answer());
        continue;
      }
      long amount = work.targets().get(i).cost();
      boolean givesBack = true;
      switch (work.deed().mode()) {
        case REFUND -> counter.credit(amount, now);
        case RESET -> counter.reset(now);
        default -> {
          debit(work.deed(), counter, work.targets().get(i), now);
          givesBack = false;
        }
      }
      if (givesBack && counter.liftsDenial(now)) {
        lifts.add(counter.key());
      }
      Answer answer = counter.answer(counter.peek(1, now), now).accepted();
      remember(work, counter, new RequestMemory.First(answer, true, null), now);
      answers.add(answer);
    }
    return Step.decided(true, answers, List.of(), lifts);
  }

  /** The counter may have taken the debit at another node, before it came to this one. */
  private static void debit(Deed deed, Counter counter, Target target, Moment now) {
    RequestKey request = deed.request();
    if (request != null) {
      if (counter.wasDebited(request, now)) {
        return;
      }
      counter.debited(request, now);
    }
    Late late = target.late();
    if (late != null) {
      counter.claim(late, target.cost(), now);
    } else if (deed.mode() == Deed.Mode.RECOVER) {
      counter.recover(target.cost(), now);
    } else {
      counter.debit(target.cost(), now);
    }
  }

  private RequestMemory.@Nullable First[] recall(Work work, Moment now) {
    Counter[] counters = work.counters();
    RequestMemory.@Nullable First[] first = new RequestMemory.First[counters.length];
    RequestKey request = work.deed().request();
    boolean denied = false;
    for (int i = 0; request != null && i < first.length; i++) {
      RequestMemory.First known = memory.recall(request, counters[i].key(), now.elapsedNanos());
      first[i] = known;
      denied |= known != null && !known.answer().allowed() && !work.targets().get(i).shadow();
    }
    for (int i = 0; !denied && i < first.length; i++) {
      RequestMemory.First known = first[i];
      if (known != null && known.answer().allowed() && !known.stands()) {
        first[i] = null;
      }
    }
    return first;
  }

  private void remember(Work work, Counter counter, RequestMemory.First first, Moment now) {
    RequestKey request = work.deed().request();
    if (request != null) {
      memory.remember(request, counter.key(), first, now.elapsedNanos());
    }
  }

  private static void tell(Work work, int index, Answer answer, Moment now) {
    boolean remembered =
        work.asker() == Asker.ELSEWHERE
            && work.deed().request() == null
            && !work.targets().get(index).shadow();
    if (remembered && !answer.allowed()) {
      work.counters()[index].toldToWait(answer.retryAfterNanos(), now);
    }
  }
}
