package io.ringfence.engine;

import io.ringfence.rules.Ask;
import io.ringfence.rules.Durability;
import io.ringfence.rules.FailurePolicy;
import io.ringfence.rules.Rule;
import io.ringfence.rules.RuleSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A check that is asked again and again: for a client with a session, say, or a route without one.
 *
 * <p>It looks at the rules once for each set of rules, and keeps its counter at hand. Where this
 * node owns the counter, {@link #tryHere} decides on the calling thread with one lock and one
 * reading of the clock, makes no future and allocates next to nothing. What it cannot decide in
 * that way (another node owns the counter, this one holds no lease, the request meets several
 * limits or none, the counter's past is not fully known, its charges must be copied first or its
 * copies are behind, the table is full) it leaves to {@link Limiter#check}, and has charged
 * nothing.
 *
 * <p>Thread-safe; blocks on nothing but the counter's lock, which is held for the arithmetic.
 */
public final class StandingCheck {
  private final EngineCore core;
  private final Check check;
  private volatile @Nullable Resolved resolved;

  StandingCheck(EngineCore core, Check check) {
    this.core = core;
    this.check = check;
  }

  /** What came of an attempt. */
  public enum Outcome {
    /** Allowed, and charged. */
    ALLOWED,
    /** Denied; nothing was charged. */
    DENIED,
    /** Not decided; nothing was charged. */
    NOT_HERE
  }

  /** What the rules of one set say of this check. */
  private static final class Resolved {
    private final RuleSet rules;
    private final @Nullable Rule rule; // null where the check can not be decided here
    private final @Nullable Target target; // null where the rule is
    private final int tenant;
    private volatile @Nullable Counter counter; // may have left the table since

    Resolved(RuleSet rules, @Nullable Rule rule, @Nullable Target target, int tenant) {
      this.rules = rules;
      this.rule = rule;
      this.target = target;
      this.tenant = tenant;
    }
  }

  /** The check. */
  public Check check() {
    return check;
  }

  /** Decides, if it can be done here and now. */
  public Outcome tryHere() {
    try {
      return attempt();
    } catch (RuntimeException defect) {
      core.defect(defect);
      return Outcome.NOT_HERE;
    }
  }

  private Outcome attempt() {
    Resolved known = resolved;
    if (known == null || known.rules != core.routing().rules()) {
      known = resolve();
      resolved = known;
    }
    Rule rule = known.rule;
    Target target = known.target;
    if (rule == null || target == null || !core.slots().slot(target.slot()).isOpen()) {
      return Outcome.NOT_HERE;
    }
    Clock clock = core.ports().clock();
    long start = clock.elapsedNanos();
    Outcome outcome = decide(known, target, clock);
    if (outcome == Outcome.NOT_HERE && known.counter == null) {
      outcome = decide(known, target, clock); // the counter at hand had left the table
    }
    if (outcome != Outcome.NOT_HERE) {
      long latency = clock.elapsedNanos() - start;
      core.ports().metrics().checkedHere(rule, outcome == Outcome.ALLOWED, latency);
    }
    return outcome;
  }

  private Outcome decide(Resolved known, Target target, Clock clock) {
    Counter counter = known.counter;
    if (counter == null) {
      counter = core.slots().getOrCreate(target, known.tenant, Moment.of(clock));
      if (counter == null) {
        return Outcome.NOT_HERE;
      }
      known.counter = counter;
    }
    synchronized (counter) {
      if (counter.removed()) {
        known.counter = null;
        return Outcome.NOT_HERE;
      }
      return decide(counter, target, clock);
    }
  }

  /** Called with the counter's lock held. */
  private Outcome decide(Counter counter, Target target, Clock clock) {
    Slot slot = counter.slot();
    if (!slot.isOpen()
        || !slot.fullyKnown()
        || !counter.counts(target.algorithm())
        || (target.isKept() && core.isBehind(slot.number()))) {
      return Outcome.NOT_HERE;
    }
    long now = clock.elapsedNanos();
    boolean allowed = counter.tryCharge(target.cost(), now, clock);
    if (core.ports().mayDecide()) {
      return allowed ? Outcome.ALLOWED : Outcome.DENIED;
    }
    if (allowed) {
      Moment at = Moment.at(clock, now);
      counter.undo(new Step.Charge(counter, target.cost(), at, counter.latestChange(), null), at);
    }
    return Outcome.NOT_HERE;
  }

  private Resolved resolve() {
    RuleSet rules = core.routing().rules();
    RuleSet.Applicable applicable = rules.applicable(check.request(), check.cost());
    List<Ask> asks = applicable.asks();
    boolean simple =
        applicable.shortcut() == null
            && asks.size() == 1
            && check.requestId() == null
            && asks.get(0).rule().effect().failure().durability() != Durability.SYNC
            && !asks.get(0).rule().effect().presentation().shadow();
    if (!simple) {
      return new Resolved(rules, null, null, 0);
    }
    Ask ask = asks.get(0);
    CounterKey key = core.slots().keyOf(ask.limit().id(), ask.values());
    int slot = core.slots().slotOf(ask.place());
    FailurePolicy policy = ask.rule().effect().failure();
    Target target = new Target(key, slot, ask.limit().algorithm(), ask.cost(), false, policy);
    return new Resolved(rules, ask.rule(), target, core.tenantOf(check.request()));
  }
}
