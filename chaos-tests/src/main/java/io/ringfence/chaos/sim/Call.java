package io.ringfence.chaos.sim;

import io.ringfence.chaos.sim.NodeClock.Instants;
import io.ringfence.engine.LimitVerdict.Answer;
import io.ringfence.engine.Verdict;
import io.ringfence.engine.message.CheckMessage;
import io.ringfence.engine.message.Deed;
import io.ringfence.rules.Ask;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One call of a scenario, from its beginning to its answer. */
final class Call {
  final int number;
  final SimNode node;
  final PlannedCall plan;
  final List<Ask> asks;
  final List<CounterName> names; // names[i] is the counter of asks[i]
  final long beganNanos; // virtual
  final Instants began; // by the clock of its node

  /** What owners told this node in time, by counter. */
  final Map<CounterName, Answer> told = new HashMap<>();

  /** What came too late, and may yet have been taken where the node was stopped meanwhile. */
  private final Map<CounterName, Answer> toldLate = new HashMap<>();

  /** Counters of its own node that it has refunded, reset or debited. */
  final Set<CounterName> corrected = new HashSet<>();

  final List<Charge> charges = new ArrayList<>(4);
  final List<Question> questions = new ArrayList<>(4);
  @Nullable Question waitsFor; // the question under way
  boolean fromDenyCache; // its node answered it from the denials that it remembers
  @Nullable Verdict verdict;
  long answeredNanos; // virtual; of meaning once there is a verdict

  Call(int number, SimNode node, PlannedCall plan, List<Ask> asks, long beganNanos) {
    this.number = number;
    this.node = node;
    this.plan = plan;
    this.asks = asks;
    this.names = asks.stream().map(CounterName::of).toList();
    this.beganNanos = beganNanos;
    this.began = node.clock.now();
  }

  boolean pending() {
    return verdict == null;
  }

  boolean admitted() {
    return verdict != null && verdict.allowed() && plan.isCheck();
  }

  /** Whether it was refused what it asked for; a call that corrects is refused nothing. */
  boolean denied() {
    return verdict != null && !verdict.allowed() && !plan.corrects();
  }

  /** Whether this call is the one that asks for that. */
  boolean mayAsk(CheckMessage message) {
    Deed.Mode mode = message.mode() == Deed.Mode.TENTATIVE ? Deed.Mode.CHARGE : message.mode();
    boolean named = plan.requestId() != null;
    long leftNanos = began.elapsedNanos() + Scenario.DEADLINE_NANOS - node.clock.elapsedNanos();
    return mode == plan.mode()
        && named == (message.deed().request() != null)
        && leftNanos / 1_000 == message.budgetMicros()
        && message.counters().stream().allMatch(ask -> names.contains(CounterName.of(ask)));
  }

  /** Whether some other node decided for that counter, or is asked to right now. */
  boolean askedElsewhere(CounterName name) {
    if (told.containsKey(name)) {
      return true;
    }
    Question now = waitsFor;
    return now != null
        && now.message.counters().stream().anyMatch(ask -> CounterName.of(ask).equals(name));
  }

  void toldLate(CounterName name, Answer answer) {
    toldLate.put(name, answer);
  }

  /** What an owner told of a counter, if that is where the given answer may come from; or null. */
  @Nullable Answer toldBy(CounterName name, @Nullable Answer given) {
    Answer inTime = told.get(name);
    if (inTime != null) {
      return inTime;
    }
    Answer late = toldLate.get(name);
    return late != null && given != null && late.certainty() == given.certainty() ? late : null;
  }

  @Nullable Charge ownChargeOf(CounterName name) {
    for (Charge charge : charges) {
      if (charge.question == null && charge.name.equals(name)) {
        return charge;
      }
    }
    return null;
  }

  /** Where the check stands, for the coverage table; null once it is over and nothing is left. */
  @Nullable Step standsAt() {
    if (!pending()) {
      return null;
    }
    Question now = waitsFor;
    if (now == null) {
      return null;
    }
    return now.laterRound ? Step.LATER_ROUND : Step.FIRST_ROUND;
  }

  @Override
  public String toString() {
    return "call " + number;
  }
}
