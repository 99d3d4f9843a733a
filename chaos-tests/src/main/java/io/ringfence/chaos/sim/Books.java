package io.ringfence.chaos.sim;

import static io.ringfence.chaos.sim.Invariant.HONEST_CERTAINTY;
import static io.ringfence.chaos.sim.Invariant.NEVER_FALSELY_DENIED;
import static io.ringfence.chaos.sim.Invariant.NEVER_OVER;
import static io.ringfence.chaos.sim.Invariant.ONLY_OWNERS_DECIDE;
import static io.ringfence.chaos.sim.Invariant.TRUE_NUMBERS;
import static java.util.Objects.requireNonNull;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.chaos.sim.NodeClock.Instants;
import io.ringfence.chaos.sim.ReferenceCounter.Reading;
import io.ringfence.engine.Certainty;
import io.ringfence.engine.LimitVerdict.Answer;
import io.ringfence.engine.message.CheckMessage;
import io.ringfence.engine.message.CounterAsk;
import io.ringfence.membership.MemberId;
import io.ringfence.rules.Ask;
import io.ringfence.rules.RuleSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The reference's own counters: for each node those that it decides for, kept by what was seen to
 * happen at its ports. A decision for another node shows in the ANSWER that is sent at the same
 * instant; a cancel when it arrives. Both are replayed here and every number is compared.
 */
final class Books {
  private final RuleSet rules;
  private final Findings findings;
  private final Agenda agenda;
  final Debts debts;
  private final Map<SimNode, Map<CounterName, ReferenceCounter>> counters = new HashMap<>();
  private final Map<SimNode, Map<Tentative, List<Charge>>> tentative = new HashMap<>();
  private final Map<CounterName, Ask.Place> places = new HashMap<>();
  private final List<Charge> charges = new ArrayList<>();
  private boolean ownersChanged; // some node has gone by a second view

  Books(RuleSet rules, Findings findings, Agenda agenda) {
    this.agenda = agenda;
    this.debts = new Debts(findings);
    this.rules = rules;
    this.findings = findings;
  }

  private record Tentative(MemberId caller, long id) {}

  /** Learns where counters live. */
  void learn(Call call) {
    for (int i = 0; i < call.asks.size(); i++) {
      places.put(call.names.get(i), call.asks.get(i).place());
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

  /** A node answers a question of another: it has just decided. */
  void decided(SimNode holder, Question question, List<Answer> answers) {
    Call call = question.call;
    if (call == null) {
      debited(holder, question, answers);
    } else {
      decided(holder, call, question, answers);
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
                "%s was debited %s; one counter has %d left"
                    .formatted(holder, Messages.tell(answer), remaining));
      }
    }
  }

  private void decided(SimNode holder, Call call, Question question, List<Answer> answers) {
    CheckMessage check = question.message;
    Instants now = holder.clock.now();
    List<CounterAsk> asks = check.counters();
    List<Reading> readings = new ArrayList<>(asks.size());
    boolean passed = true;
    for (int i = 0; i < asks.size(); i++) {
      CounterAsk ask = asks.get(i);
      mayDecide(holder, call, CounterName.of(ask), answers.get(i));
      Reading reading = reading(at(holder, CounterName.of(ask)), ask.cost(), now, answers.get(i));
      passed &= reading.allowed() || ask.shadow();
      readings.add(reading);
    }
    List<Charge> made = new ArrayList<>(asks.size());
    for (int i = 0; i < asks.size(); i++) {
      CounterAsk ask = asks.get(i);
      Reading reading = readings.get(i);
      if (passed && question.charges() && reading.allowed()) {
        CounterName name = CounterName.of(ask);
        made.add(charge(holder, call, name, ask.cost(), question));
        reading = after(reading, at(holder, name), now);
      }
      compare(holder, call, CounterName.of(ask), reading, answers.get(i));
    }
    if (question.chargesTentatively() && !made.isEmpty()) {
      tentative
          .computeIfAbsent(holder, unused -> new HashMap<>())
          .put(new Tentative(call.node.id, check.id()), made);
    }
  }

  /** A node decides on a counter: it must own it, and must not claim to know what it cannot. */
  void mayDecide(SimNode holder, Call call, CounterName name, Answer answer) {
    findings.require(
        owns(holder, name),
        ONLY_OWNERS_DECIDE,
        () -> "%s decided for %s without owning the counter".formatted(holder, call));
    if (answer.certainty() == Certainty.EXACT) {
      Charge missed = missedBy(holder, name);
      findings.require(
          missed == null,
          HONEST_CERTAINTY,
          () ->
              "%s told %s %s, and knows nothing of what %s was charged at %s"
                  .formatted(
                      holder,
                      call,
                      Messages.tell(answer),
                      requireNonNull(missed).call,
                      requireNonNull(missed).holder));
    }
  }

  /**
   * A charge that an earlier holder made before this one opened the slot, and that would still
   * weigh by this holder's clock; or null. What an earlier holder goes on to decide until it learns
   * of the view is not looked at: no lease tells it to stop.
   */
  private @Nullable Charge missedBy(SimNode holder, CounterName name) {
    long sinceNanos = holder.ownsSinceNanos(place(name));
    for (Charge charge : charges) {
      if (charge.holder != holder
          && charge.name.equals(name)
          && charge.madeNanos < sinceNanos
          && charge.state() != Charge.State.TAKEN_BACK) {
        ReferenceCounter alone = ReferenceCounter.of(algorithm(name));
        alone.charge(charge.entry.cost, holder.clock.at(charge.madeNanos));
        if (!alone.isFresh(holder.clock.now())) {
          return charge;
        }
      }
    }
    return null;
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
    Charge charge = new Charge(call, name, holder, counter, entry, question, agenda.now());
    call.charges.add(charge);
    charges.add(charge);
    return charge;
  }

  /** A charge that was only tried; what its counter held before is put back. */
  void forget(Charge charge, List<ReferenceCounter.Entry> before) {
    charge.counter.entries.clear();
    charge.counter.entries.addAll(before);
    charge.call.charges.remove(charge);
    charges.remove(charge);
  }

  /** Holds what was answered against the reference. */
  void compare(SimNode holder, Call call, CounterName name, Reading reading, Answer answer) {
    if (reading.allowed() != answer.allowed()) {
      findings.broken(
          answer.allowed() ? NEVER_OVER : NEVER_FALSELY_DENIED,
          "%s told %s: %s; one counter says %s"
              .formatted(holder, call, Messages.tell(answer), reading));
      return;
    }
    findings.require(
        same(at(holder, name), reading, answer, holder.clock.now()),
        TRUE_NUMBERS,
        () ->
            "%s told %s: %s; one counter says %s"
                .formatted(holder, call, Messages.tell(answer), reading));
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
    made.forEach(Charge::takeBack);
    return made;
  }

  /** A node goes by another view: what it does not own any more is gone. */
  void viewChanged(SimNode holder) {
    ownersChanged |= requireNonNull(holder.view).epoch() > 1;
    Map<CounterName, ReferenceCounter> held = counters.get(holder);
    if (held == null) {
      return;
    }
    held.keySet().removeIf(name -> !owns(holder, name));
    for (Charge charge : charges) {
      if (charge.holder == holder && !owns(holder, charge.name)) {
        charge.gone();
      }
    }
  }

  /** The node that decides on a counter, where no other ever did; else null. */
  @Nullable SimNode onlyHolderOf(CounterName name) {
    if (ownersChanged) {
      return null;
    }
    for (Map.Entry<SimNode, Map<CounterName, ReferenceCounter>> held : counters.entrySet()) {
      if (held.getValue().containsKey(name)) {
        return held.getKey();
      }
    }
    return null;
  }

  boolean owns(SimNode node, CounterName name) {
    return node.owns(place(name));
  }

  private Ask.Place place(CounterName name) {
    return requireNonNull(places.get(name));
  }
}
