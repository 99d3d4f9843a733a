package io.ringfence.engine;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.algorithms.CounterState;
import io.ringfence.algorithms.Decision;
import io.ringfence.engine.LimitVerdict.Answer;
import io.ringfence.engine.message.Knowledge;
import io.ringfence.engine.message.Late;
import io.ringfence.engine.message.Ledger;
import io.ringfence.engine.message.RequestKey;
import io.ringfence.engine.message.Term;
import io.ringfence.rules.Durability;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One counter. Its own monitor guards all of it; every method is called with that monitor held.
 *
 * <p>A counter keeps the algorithm that its state was last written under. When the rules change,
 * the next touch adopts the new one, so that what was used stays used.
 */
final class Counter {
  private final CounterKey key;
  private final Slot slot;

  private Algorithm algorithm;
  private CounterState state;
  private long changes; // charges, debits and credits so far; each has its number, from 1
  private long undoableFrom; // charges of smaller numbers do not weigh any more; 0 = all may
  private @Nullable LeastOwed leastOwed; // null while no charge may be taken back
  private long toldUntilNanos; // elapsed time up to which other members know it denies; 0 = none
  private boolean assumed; // whether what it began with is a guess, as all copies were lost
  private final int account; // on which it takes room in the table
  private @Nullable History history; // null while nobody else had anything to do with it
  // Units charged or debited here in this term and not taken back. The count goes on where this
  // takes the place of a counter of the same key that was as good as new, so copies of both differ.
  private long charged;
  private long chargedFrom; // what `charged` was when this was as good as new; <= charged
  private long assumedUnits; // what it was charged with as a guess; 0 unless `assumed`
  private boolean recovered; // whether it turned out how it stood before all copies were lost
  private boolean changed; // whether it waits to be copied
  private long chargedBeforeChange; // what `charged` was when it began to, if so
  private boolean copy; // whether it takes room as a copy of another node's counter
  private boolean removed; // once true the table no longer has it, and it must not be charged

  Counter(Target target, Slot slot, int account, Moment now) {
    this.key = target.key();
    this.slot = slot;
    this.account = account;
    this.algorithm = target.algorithm();
    this.state = algorithm.fresh(now.on(algorithm.timeline()));
    this.chargedFrom = slot.mostCharged();
    this.charged = chargedFrom;
    Slot.Past past = slot.past();
    Moment since = past.knownSince();
    boolean kept = target.policy().durability() != Durability.NONE;
    boolean lost =
        switch (past.kind()) {
          case WHOLE, COPIED -> !kept;
          case LOST -> true;
          case SAVED -> !Checkpoint.covers(algorithm);
        };
    if (since != null && lost && mayMiss(since, now)) {
      this.assumed = true;
      long units = Assumption.used(target.policy().onStateLost(), algorithm, time(since));
      if (units > 0) {
        algorithm.debit(state, units, time(now));
        assumedUnits = units;
      }
    }
  }

  /** A counter as another node has it. */
  Counter(CounterKey key, Slot slot, int account, Algorithm algorithm, CounterState state) {
    this.key = key;
    this.slot = slot;
    this.account = account;
    this.algorithm = algorithm;
    this.state = state;
    this.copy = true;
  }

  /**
   * Becomes what another node says it is. No charge from before can be taken back any more.
   *
   * @param copied a counter that nobody else has, or this one; it must not be used any more
   * @param told who charged how much of it; null if nobody
   */
  void become(Counter copied, long toldUntil, @Nullable History told) {
    history = told;
    algorithm = copied.algorithm;
    state = copied.state;
    toldUntilNanos = toldUntil;
    undoableFrom = changes + 1;
    leastOwed = null;
    charged = 0;
    chargedFrom = 0;
    assumedUnits = 0;
  }

  /** Another term begins; what this node charged before nobody will claim. */
  void beginTerm() {
    charged = 0;
    chargedFrom = 0;
  }

  /** All that was charged in that term is here, and nobody will claim anything of it. */
  void isComplete(Term term) {
    if (history != null) {
      history.forget(term);
    }
  }

  Algorithm algorithm() {
    return algorithm;
  }

  /** The state as numbers; see {@link Algorithm#snapshot}. */
  long[] words(Moment now) {
    return algorithm.snapshot(state, time(now));
  }

  /** Who charged how much of it. */
  Ledger ledger(Moment now) {
    return history == null
        ? new Ledger(charged, List.of(), List.of())
        : history.told(charged, now.elapsedNanos());
  }

  /** Whether it has taken that debit. */
  boolean wasDebited(RequestKey request, Moment now) {
    return history != null && history.wasDebited(request, now.elapsedNanos());
  }

  /** It takes that debit now. */
  void debited(RequestKey request, Moment now) {
    historyOrNew().debited(request, now.elapsedNanos());
  }

  private History historyOrNew() {
    History known = history;
    if (known == null) {
      known = new History();
      history = known;
    }
    return known;
  }

  /** For how long yet others remember that it denies. */
  long toldNanos(Moment now) {
    return Math.max(0, toldUntilNanos - now.elapsedNanos());
  }

  /** Units that were charged or debited here in this term and not taken back, on its count. */
  long charged() {
    return charged;
  }

  /** Where that count stood when this counter was as good as new. */
  long chargedFrom() {
    return chargedFrom;
  }

  /** What was charged here up to now can not matter after that elapsed time. */
  long mattersUntilNanos(Moment now) {
    long forgets = algorithm.forgetsAtNanos(time(now));
    return forgets == Long.MAX_VALUE ? forgets : now.elapsedNanos() + (forgets - time(now));
  }

  /** It is about to be copied as it is now; returns what was charged before it changed. */
  long copying() {
    changed = false;
    return chargedBeforeChange;
  }

  boolean isCopy() {
    return copy;
  }

  void setCopy(boolean isCopy) {
    copy = isCopy;
  }

  CounterKey key() {
    return key;
  }

  Slot slot() {
    return slot;
  }

  int account() {
    return account;
  }

  boolean removed() {
    return removed;
  }

  void markRemoved() {
    removed = true;
  }

  /**
   * Makes the given algorithm the one that decides from here on. Charges from before can not be
   * taken back any more, as they weigh differently now.
   */
  void adopt(Algorithm current, Moment now) {
    if (!counts(current)) {
      if (!current.equals(algorithm)) {
        undoableFrom = changes + 1;
        noteChange();
      }
      state = current.adopt(algorithm, state, now.on(current.timeline()));
      algorithm = current;
    }
  }

  /** Whether it counts by that algorithm already. */
  boolean counts(Algorithm current) {
    return current == algorithm;
  }

  Decision peek(long cost, Moment now) {
    return algorithm.peek(state, cost, time(now));
  }

  /** Charges if it fits. */
  Decision charge(long cost, Moment now) {
    return charge(cost, time(now));
  }

  /** Charges if it fits, at that elapsed time; for who needs no more than the answer. */
  boolean tryCharge(long cost, long elapsedNanos, Clock clock) {
    long time =
        switch (algorithm.timeline()) {
          case ELAPSED -> elapsedNanos;
          case WALL -> clock.toWallNanos(elapsedNanos);
        };
    return charge(cost, time).allowed();
  }

  private Decision charge(long cost, long time) {
    noteCharge(time);
    Decision decision = algorithm.charge(state, cost, time);
    if (decision.allowed()) {
      noteChange();
      charged += cost;
    }
    return decision;
  }

  /** Something changed that its copies should have; called before the change is counted. */
  private void noteChange() {
    if (!changed && slot.note(this)) {
      changed = true;
      chargedBeforeChange = charged;
    }
  }

  /** The number of the latest charge, by which it may be taken back. */
  long latestChange() {
    return changes;
  }

  /** The latest charge may be taken back, for as long as such charges are remembered. */
  void latestMayBeTakenBack(Moment now) {
    if (leastOwed == null) {
      leastOwed = new LeastOwed();
    }
    leastOwed.mayBeTakenBack(now.elapsedNanos());
  }

  /** Forgets what was kept for charges that can not be taken back any more. */
  void forgetOldCharges(Moment now) {
    if (leastOwed != null && leastOwed.isOver(now.elapsedNanos())) {
      leastOwed = null;
    }
  }

  /** Takes a charge back, as far as it still weighs. */
  void undo(Step.Charge charge, Moment now) {
    if (charge.number() < undoableFrom) {
      return;
    }
    long least = leastOwed == null ? Long.MAX_VALUE : leastOwed.since(charge.number());
    long time = time(now);
    long gaveBack = algorithm.undo(state, charge.cost(), time(charge.at()), least, time);
    if (leastOwed != null && gaveBack > 0) {
      leastOwed.lower(charge.number(), gaveBack);
    }
    noteChange();
    charged = Math.max(chargedFrom, charged - charge.cost());
  }

  void credit(long amount, Moment now) {
    algorithm.credit(state, amount, time(now));
    changes++;
    noteOwed(time(now));
    noteChange();
  }

  void debit(long amount, Moment now) {
    noteCharge(time(now));
    algorithm.debit(state, amount, time(now));
    noteChange();
    charged = charged > Long.MAX_VALUE - amount ? Long.MAX_VALUE : charged + amount;
  }

  /**
   * Whoever decided in an earlier term claims so many units after those that it knew to be copied.
   * What is in the state already is left out; where all copies were lost, the claim takes the place
   * of what was assumed, and goes back to where the count began.
   */
  void claim(Late late, long units, Moment now) {
    long until = late.known() + Math.min(units, Long.MAX_VALUE - late.known());
    long knows = history == null ? -1 : history.knows(late.term());
    long amount;
    if (knows >= 0) {
      amount = until - knows;
    } else if (assumed) {
      long assumedOfThem = Math.min(assumedUnits, until - late.from());
      assumedUnits -= assumedOfThem;
      amount = until - late.from() - assumedOfThem;
    } else {
      amount = units;
    }
    if (amount > 0) {
      debit(amount, now);
    }
    historyOrNew().know(late.term(), Math.max(until, knows));
  }

  /**
   * So much had been used before all copies were lost, as was saved by who decided then. It takes
   * the place of what was assumed; of a counter that goes on from a copy, or has been recovered, it
   * says nothing new.
   */
  void recover(long units, Moment now) {
    if (recovered || slot.past().kind() != Knowledge.Kind.LOST) {
      return;
    }
    long more = units - assumedUnits;
    if (more > 0) {
      debit(more, now);
    } else if (more < 0) {
      credit(-more, now);
    }
    assumedUnits = 0;
    recovered = true;
  }

  /**
   * It turns out how it stood before all copies were lost: it goes on from there, with what was
   * charged since, instead of from what was assumed.
   *
   * @param earlier a counter that nobody else has; null where it was as good as new
   */
  void goOnFrom(@Nullable Counter earlier, Moment now) {
    state = algorithm.fresh(time(now));
    if (earlier != null) {
      state = algorithm.adopt(earlier.algorithm, earlier.state, time(now));
    }
    long since = history == null ? 0 : history.charged();
    if (since > 0) {
      algorithm.debit(state, since, time(now));
    }
    undoableFrom = changes + 1;
    leastOwed = null;
  }

  /** Makes it as good as new. No charge from before can be taken back any more. */
  void reset(Moment now) {
    state = algorithm.fresh(time(now));
    undoableFrom = changes + 1;
    noteChange();
    chargedFrom = charged;
  }

  /**
   * Called right before something is charged. Where nothing refills, no less was owed then than
   * after the last refund.
   */
  private void noteCharge(long time) {
    changes++;
    if (algorithm.refills()) {
      noteOwed(time);
    }
  }

  private void noteOwed(long time) {
    if (leastOwed != null) {
      long owed = algorithm.owed(state, time);
      if (owed != Long.MAX_VALUE) {
        leastOwed.found(changes, owed);
      }
    }
  }

  /** Units that a full counter would have more than this one, rounded up. */
  long used(Moment now) {
    Decision decision = algorithm.peek(state, 1, time(now));
    return decision.limit() - decision.remaining();
  }

  /** How far it is from full, in the algorithm's measure. */
  long owed(Moment now) {
    return algorithm.owed(state, time(now));
  }

  /** Another member was told that this counter denies for that long, and will remember it. */
  void toldToWait(long nanos, Moment now) {
    long until =
        nanos > Long.MAX_VALUE - now.elapsedNanos() ? Long.MAX_VALUE : now.elapsedNanos() + nanos;
    toldUntilNanos = Math.max(toldUntilNanos, until);
    noteChange();
  }

  /**
   * Whether somebody may still wait as told, by this node or by an owner before it; from now on
   * nobody does, as they will be told.
   */
  boolean liftsDenial(Moment now) {
    boolean lifts = toldUntilNanos > now.elapsedNanos() || !slot.fullyKnown();
    toldUntilNanos = 0;
    return lifts;
  }

  /** What a check of the target's cost would be told. */
  Answer look(Target target, Moment now) {
    adopt(target.algorithm(), now);
    return answer(peek(target.cost(), now), now);
  }

  /** The numbers of a decision, and how sure they are. */
  Answer answer(Decision decision, Moment now) {
    Slot.Past past = slot.past();
    Moment since = past.knownSince();
    boolean mayMiss = since != null && mayMiss(since, now);
    return new Answer(
        decision.allowed(),
        decision.limit(),
        decision.remaining(),
        decision.retryAfterNanos(),
        now.toEpochMillis(algorithm.timeline(), decision.resetAtNanos()),
        decision.delayNanos(),
        mayMiss ? certainty(past.kind()) : Certainty.EXACT);
  }

  private Certainty certainty(Knowledge.Kind kind) {
    if (recovered) {
      return Certainty.RECOVERED;
    }
    return switch (kind) {
      case WHOLE -> assumed ? Certainty.ASSUMED : Certainty.EXACT;
      case COPIED, SAVED -> assumed ? Certainty.ASSUMED : Certainty.RECOVERED;
      case LOST -> Certainty.ASSUMED;
    };
  }

  boolean isFresh(Moment now) {
    return algorithm.isFresh(state, time(now));
  }

  /** Whether something before that moment, of which this node does not know, could matter now. */
  private boolean mayMiss(Moment since, Moment now) {
    return time(now) < algorithm.forgetsAtNanos(time(since));
  }

  private long time(Moment moment) {
    return moment.on(algorithm.timeline());
  }
}
