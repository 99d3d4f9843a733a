package io.ringfence.chaos.sim;

import static io.ringfence.chaos.sim.Invariant.HONEST_CERTAINTY;
import static io.ringfence.chaos.sim.Invariant.NEVER_FALSELY_DENIED;
import static io.ringfence.chaos.sim.Invariant.NEVER_OVER;
import static io.ringfence.chaos.sim.Invariant.ONLY_OWNERS_DECIDE;
import static io.ringfence.chaos.sim.Invariant.REPEATED_ALIKE;
import static io.ringfence.chaos.sim.Invariant.TRUE_NUMBERS;
import static java.util.Objects.requireNonNull;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.chaos.sim.NodeClock.Instants;
import io.ringfence.chaos.sim.ReferenceCounter.Reading;
import io.ringfence.chaos.virtual.Findings;
import io.ringfence.engine.Certainty;
import io.ringfence.engine.LimitVerdict.Answer;
import io.ringfence.engine.message.CheckMessage;
import io.ringfence.engine.message.CounterAsk;
import io.ringfence.engine.message.Deed;
import io.ringfence.membership.MemberId;
import io.ringfence.rules.Ask;
import io.ringfence.rules.RuleSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The reference's own counters: for each node those that it decides for, kept by what was seen to
 * happen at its ports. A decision for another node shows in the ANSWER that is sent at the same
 * instant; a cancel when it arrives. Both are replayed here and every number is compared.
 */
final class Books {
  private final RuleSet rules;
  private final Findings findings;
  final Debts debts;
  private final Map<SimNode, Map<CounterName, ReferenceCounter>> counters = new HashMap<>();
  private final Map<SimNode, Map<Tentative, List<Charge>>> tentative = new HashMap<>();
  private final Map<CounterName, Ask.Place> places = new HashMap<>();
  private final List<Charge> charges = new ArrayList<>();
  private final Map<CounterName, List<Call>> givingBack = new HashMap<>();
  final Requests requests = new Requests();
  private final Set<CounterName> unsure = new HashSet<>(); // of requests with names

  Books(RuleSet rules, Findings findings) {
    this.debts = new Debts(findings);
    this.rules = rules;
    this.findings = findings;
  }

  private record Tentative(MemberId caller, long id) {}

  /** Learns where counters live. */
  void learn(Call call) {
    for (int i = 0; i < call.asks.size(); i++) {
      places.put(call.names.get(i), call.asks.get(i).place());
      if (call.plan.givesBack()) {
        givingBack.computeIfAbsent(call.names.get(i), unused -> new ArrayList<>()).add(call);
      }
    }
  }

  /** The counter of that name at a node, fresh where the node had none. */
  ReferenceCounter at(SimNode holder, CounterName name) {
    return counters
        .computeIfAbsent(holder, unused -> new HashMap<>())
        .computeIfAbsent(name, unused -> ReferenceCounter.of(algorithm(name)));
  }

  Map<CounterName, ReferenceCounter> heldBy(SimNode holder) {
    return counters.getOrDefault(holder, Map.of());
  }

  List<Charge> charges() {
    return charges;
  }

  /** Calls that give something back to that counter, or try to. */
  List<Call> givingBackTo(CounterName name) {
    return givingBack.getOrDefault(name, List.of());
  }

  /** A node answers a question of another that corrects nothing: it has just decided. */
  void decided(SimNode holder, Question question, List<Answer> answers) {
    Call call = question.call;
    if (call == null) {
      debited(holder, question, answers);
    } else {
      decided(holder, call, question, answers);
    }
  }

  /** A node refunds, resets or debits a counter of its own. */
  void correct(SimNode holder, CounterName name, Deed.Mode mode, long cost) {
    ReferenceCounter counter = at(holder, name);
    Instants now = holder.clock.now();
    switch (mode) {
      case REFUND -> counter.giveBack(cost, now);
      case RESET -> counter.reset(now);
      case DEBIT -> counter.charge(cost, now);
      default -> throw new IllegalArgumentException("no correction: " + mode);
    }
  }

  /** A node has just applied, or recognised, a debit of another. */
  private void debited(SimNode holder, Question question, List<Answer> answers) {
    List<CounterAsk> asks = question.message.counters();
    Instants now = holder.clock.now();
    for (int i = 0; i < asks.size(); i++) {
      CounterName name = CounterName.of(asks.get(i));
      if (debts.applies(holder, question, asks.get(i))) {
        at(holder, name).charge(asks.get(i).cost(), now);
        long remaining = at(holder, name).remaining(now);
        Answer answer = answers.get(i);
        findings.require(
            at(holder, name).isUnsure()
                || Math.abs(answer.remaining() - remaining)
                    <= Math.min(1, at(holder, name).uncertainNanos()),
            TRUE_NUMBERS,
            () ->
                "%s was debited %s; one counter has %d left after %s"
                    .formatted(holder, Messages.tell(answer), remaining, at(holder, name).entries));
      }
    }
  }

  private void decided(SimNode holder, Call call, Question question, List<Answer> answers) {
    CheckMessage check = question.message;
    Instants now = holder.clock.now();
    List<CounterAsk> asks = check.counters();
    List<CounterName> names = asks.stream().map(CounterName::of).toList();
    @Nullable Reading[] readings = new Reading[asks.size()]; // null where repeated
    boolean passed = true;
    boolean besideDenial = repeatsDenial(holder, call, asks, answers);
    for (int i = 0; i < asks.size(); i++) {
      CounterAsk ask = asks.get(i);
      Answer answer = answers.get(i);
      if (repeats(holder, call, names.get(i), answer, besideDenial)) {
        passed &= answer.allowed() || ask.shadow();
        continue;
      }
      mayDecide(holder, call, names.get(i), answer);
      Reading reading = reading(at(holder, names.get(i)), ask.cost(), now, answer);
      passed &= reading.allowed() || ask.shadow();
      readings[i] = reading;
    }
    List<Charge> made = new ArrayList<>(asks.size());
    for (int i = 0; i < asks.size(); i++) {
      CounterName name = names.get(i);
      Reading reading = readings[i];
      if (reading == null) {
        Charge earlier = standingFor(holder, call, name);
        if (passed && question.charges() && earlier != null) {
          earlier.hold();
          made.add(earlier);
        }
        continue;
      }
      if (passed && question.charges() && reading.allowed()) {
        made.add(charge(holder, call, name, asks.get(i).cost(), question));
        reading = after(reading, at(holder, name), now);
      }
      Answer answer = answers.get(i);
      Requests.First may = requests.of(holder, call, name);
      if (may == null || may.sure() || !may.isRepeatedBy(answer, true)) {
        compare(holder, call, name, reading, answer);
      }
      requests.answered(
          holder, call, name, new Requests.First(answer, answer.allowed(), passed, true));
    }
    if (question.chargesTentatively() && !made.isEmpty()) {
      tentative
          .computeIfAbsent(holder, unused -> new HashMap<>())
          .put(new Tentative(call.node.id, check.id()), made);
    }
  }

  /**
   * Whether one of those counters may be answering a request with the denial that it gave first.
   */
  private boolean repeatsDenial(
      SimNode holder, Call call, List<CounterAsk> asks, List<Answer> answers) {
    for (int i = 0; i < asks.size(); i++) {
      Requests.First first = requests.of(holder, call, CounterName.of(asks.get(i)));
      boolean denial = first != null && !first.allowed() && !asks.get(i).shadow();
      if (denial && !answers.get(i).allowed()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a counter must answer a request as it did the first time; and does. Of one whose amount
   * is unsure, it is not sure either whether it did.
   *
   * @param besideDenial whether another counter of the step may be repeating its denial
   */
  boolean repeats(
      SimNode holder, Call call, CounterName name, Answer answer, boolean besideDenial) {
    if (call.plan.name() == null) {
      return false;
    }
    ReferenceCounter counter = at(holder, name);
    Requests.First first = requests.of(holder, call, name);
    boolean maybe = first != null && !first.sure() && first.allowed() == answer.allowed();
    if (counter.isUnsure() || (maybe && answer.allowed())) {
      counter.becomesUnsure();
      unsure.add(name);
      requests.answered(holder, call, name, Requests.First.maybe(answer));
      return true;
    }
    if (maybe || first == null || !first.sure()) {
      return maybe;
    }
    if (first.allowed() && !first.stands()) {
      return besideDenial && first.isRepeatedBy(answer, !call.denied());
    }
    findings.require(
        first.isRepeatedBy(answer, !call.denied()),
        REPEATED_ALIKE,
        () ->
            "%s told %s, a repeat: %s; at first %s"
                .formatted(holder, call, Messages.tell(answer), first));
    return true;
  }

  /** A node decides on a counter: it must own it, and has known it all along, as it must say. */
  void mayDecide(SimNode holder, Call call, CounterName name, Answer answer) {
    findings.require(
        owns(holder, name),
        ONLY_OWNERS_DECIDE,
        () -> "%s decided for %s without owning the counter".formatted(holder, call));
    findings.require(
        answer.certainty() == Certainty.EXACT,
        HONEST_CERTAINTY,
        () -> "%s told %s %s, and missed nothing".formatted(holder, call, Messages.tell(answer)));
  }

  private Algorithm algorithm(CounterName name) {
    return requireNonNull(rules.limit(name.limitId())).limit().algorithm();
  }

  /** The same reading with what is left after the charge. */
  static Reading after(Reading before, ReferenceCounter counter, Instants now) {
    return new Reading(before.allowed(), counter.remaining(now), 0, before.delayNanos());
  }

  Charge charge(
      SimNode holder, Call call, CounterName name, long cost, @Nullable Question question) {
    ReferenceCounter counter = at(holder, name);
    ReferenceCounter.Entry entry = counter.charge(cost, holder.clock.now());
    Charge charge = new Charge(call, name, holder, counter, entry, question);
    call.charges.add(charge);
    charges.add(charge);
    return charge;
  }

  /** A charge that was only tried. */
  void forget(Charge charge) {
    charge.call.charges.remove(charge);
    charges.remove(charge);
  }

  /** A charge is taken back. */
  void takeBack(Charge charge) {
    charge.takeBack();
    if (!charge.stands() && !charge.isHeld()) {
      requests.forgot(charge.holder, charge.call, charge.name);
    }
  }

  /** Whether a charge may stand for a repeat of its request, though its own call was denied. */
  boolean mayStandForRepeat(Charge charge) {
    return charge.call.plan.name() != null && (charge.counter.isUnsure() || charge.wasHeld());
  }

  /** What stands at a node for the request of a call, by that call or one that it repeats. */
  @Nullable Charge standingFor(SimNode holder, Call call, CounterName name) {
    for (Charge charge : charges) {
      if (charge.holder == holder && charge.isFor(call, name) && charge.stands()) {
        return charge;
      }
    }
    return null;
  }

  /** Holds what was answered against the reference. */
  void compare(SimNode holder, Call call, CounterName name, Reading reading, Answer answer) {
    if (reading.allowed() != answer.allowed()) {
      findings.broken(
          answer.allowed() ? NEVER_OVER : NEVER_FALSELY_DENIED,
          "%s told %s: %s; one counter says %s after %s"
              .formatted(holder, call, Messages.tell(answer), reading, at(holder, name).entries));
      return;
    }
    findings.require(
        same(at(holder, name), reading, answer, holder.clock.now()),
        TRUE_NUMBERS,
        () ->
            "%s told %s: %s; one counter says %s after %s"
                .formatted(holder, call, Messages.tell(answer), reading, at(holder, name).entries));
  }

  /** Whether an answer is that of the reference, as far as that is certain. */
  static boolean same(ReferenceCounter counter, Reading reading, Answer answer, Instants now) {
    if (counter.isUnsure()) {
      return true;
    }
    long nanos = counter.uncertainNanos();
    long least = nanos == 0 ? reading.remaining() : counter.readBehind(1, now).remaining();
    return reading.allowed() == answer.allowed()
        && least <= answer.remaining()
        && answer.remaining() <= reading.remaining()
        && Math.abs(reading.retryAfterNanos() - answer.retryAfterNanos()) <= nanos
        && Math.abs(reading.delayNanos() - answer.delayNanos()) <= nanos;
  }

  /**
   * What the reference says now; where it is not certain to the nanosecond and the answer is
   * another, what it says if it is as far behind as it may be.
   */
  static Reading reading(ReferenceCounter counter, long cost, Instants now, Answer answer) {
    if (counter.isUnsure()) {
      return new Reading(
          answer.allowed(), answer.remaining(), answer.retryAfterNanos(), answer.delayNanos());
    }
    Reading reading = counter.read(cost, now);
    if (counter.uncertainNanos() == 0 || reading.allowed() == answer.allowed()) {
      return reading;
    }
    Reading behind = counter.readBehind(cost, now);
    return behind.allowed() == answer.allowed() ? behind : reading;
  }

  /** A cancel reaches a node; what it takes back, once. */
  List<Charge> cancelled(SimNode holder, MemberId caller, long id) {
    Map<Tentative, List<Charge>> known = tentative.get(holder);
    List<Charge> made = known == null ? null : known.remove(new Tentative(caller, id));
    if (made == null) {
      return List.of();
    }
    made.forEach(this::takeBack);
    return made.stream().filter(charge -> !charge.stands()).toList();
  }

  /** Whether somewhere nobody could tell whether the counter of that name repeated an answer. */
  boolean isUnsure(CounterName name) {
    return unsure.contains(name);
  }

  /** The node that decides on a counter; null where none has yet. */
  @Nullable SimNode holderOf(CounterName name) {
    for (Map.Entry<SimNode, Map<CounterName, ReferenceCounter>> held : counters.entrySet()) {
      if (held.getValue().containsKey(name)) {
        return held.getKey();
      }
    }
    return null;
  }

  boolean owns(SimNode node, CounterName name) {
    return node.owns(requireNonNull(places.get(name)));
  }
}
