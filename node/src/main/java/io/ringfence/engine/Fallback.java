package io.ringfence.engine;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.engine.LimitVerdict.Answer;
import io.ringfence.engine.message.Deed;
import io.ringfence.engine.message.Deed.Mode;
import io.ringfence.ring.RingSettings;
import io.ringfence.rules.Ask;
import io.ringfence.rules.FailurePolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What is answered when the owner of a counter cannot be asked, or this node is cut off.
 *
 * <p>Each rule says what, for each of the two: open admits, closed refuses, local and share ask a
 * bucket inside this process. That admits max(1, floor(limit / nodes)) where nodes are those of the
 * last view, or while it is not cut off a fraction of it; rate and burst are scaled alike. There is
 * one bucket a counter whichever of the two asks, so one's consumption is the other's. It counts in
 * a table of its own, apart from the counters that this node owns, and it goes on for its window
 * whatever heals meanwhile, so that flapping does not refill it. When that table has no room the
 * check is refused: a flood of keys during an outage admits no more than the table holds. Above all
 * keys stands the node's ceiling: all local buckets together admit no more than that many checks a
 * second.
 *
 * <p>What local buckets admit is owed to the owners ({@link Owed}) and passed on once they answer.
 * A refund goes to the local bucket, as far as that was used. A reset or a forced debit is the
 * owner's to do: it is not done, and its answer says so.
 *
 * <p>Never silent: every answer is marked and counted. Thread-safe.
 */
final class Fallback {
  private static final long MAX_LOCAL_BUCKETS = 200_000;
  private static final long SECOND_NANOS = 1_000_000_000L;

  private final Slots buckets;
  private final Decider decider;
  private final EngineMetrics metrics;
  private final Ceiling ceiling;
  private final Owed owed;
  // of the current rules and size of the view; at most two entries a limit
  private final ConcurrentHashMap<Whole, Scaled> shares = new ConcurrentHashMap<>();

  Fallback(RingSettings ring, BoundsSettings bounds, EnginePorts ports) {
    this.buckets = new Slots(ring, Math.min(MAX_LOCAL_BUCKETS, bounds.keys()), new Changes());
    for (int slot = 0; slot < buckets.count(); slot++) {
      buckets.open(buckets.slot(slot));
    }
    this.decider = new Decider(buckets, ports, () -> true);
    this.metrics = ports.metrics();
    this.owed = new Owed(buckets);
    this.ceiling = new Ceiling(bounds.fallbackPerSecond(), ports.clock());
  }

  private record Whole(Algorithm algorithm, long fractionMillionths) {}

  private record Scaled(int nodes, Algorithm algorithm) {}

  /**
   * What a node may answer in an owner's place.
   *
   * @param nodes how many members the last view had, 1 or more
   * @param cause why it has to
   */
  record Share(int nodes, FallbackMode.Cause cause) {

    private FallbackMode mode(Ask ask) {
      return FallbackMode.of(ask.rule().effect().failure(), cause);
    }
  }

  /** What local buckets admitted and owners do not know of. */
  Owed owed() {
    return owed;
  }

  /** Answers for counters in their owner's place. */
  Step answer(Deed deed, List<Ask> asks, Share share) {
    List<Target> targets = new ArrayList<>(asks.size());
    boolean closed = false;
    for (Ask ask : asks) {
      switch (share.mode(ask)) {
        case LOCAL, SHARE -> targets.add(target(ask, share));
        case CLOSED -> closed |= !ask.rule().effect().presentation().shadow();
        case OPEN -> {}
      }
    }
    return switch (deed.mode()) {
      case CHARGE, TENTATIVE ->
          assemble(asks, closed ? peek(targets) : charge(deed, targets), closed, share);
      case PEEK -> assemble(asks, peek(targets), closed, share);
      case REFUND -> assemble(asks, refund(deed, targets), closed, share);
      case RESET, DEBIT, LATE, RECOVER -> notDone(asks, share);
    };
  }

  /** Takes charges of local buckets back. */
  void undo(Step step) {
    for (Step.Charge charge : step.charges()) {
      if (decider.undo(charge) != Decider.Undone.STANDS) {
        owed.subtract(charge.counter().key(), charge.cost());
      }
    }
    if (!step.charges().isEmpty()) {
      ceiling.giveBack();
    }
  }

  /** What local buckets know of one client. */
  ClientCounters used(String client, int slot, EngineCore core) {
    return ClientCounters.of(client, slot, core.routing().rules(), buckets, core.ports());
  }

  /** Forgets the shares of limits that are no longer in force. */
  void rulesChanged() {
    shares.clear();
  }

  void sweep(int turns, Moment now) {
    buckets.sweep(turns, now);
  }

  private Step peek(List<Target> targets) {
    return targets.isEmpty()
        ? Step.NOTHING
        : decider.perform(Deed.of(Mode.PEEK), targets, Decider.Asker.HERE);
  }

  private Step charge(Deed deed, List<Target> targets) {
    if (targets.isEmpty()) {
      return Step.NOTHING;
    }
    if (!ceiling.take()) {
      metrics.overflow("fallback_ceiling");
      return Step.NO_ROOM;
    }
    Step step = decider.perform(deed, targets, Decider.Asker.HERE);
    if (step.end() == Step.End.NO_ROOM) {
      metrics.overflow("local_buckets");
    }
    if (step.charges().isEmpty()) {
      ceiling.giveBack();
    }
    for (Step.Charge charge : step.charges()) {
      if (charge.isNew()) {
        owed.add(Owed.Debt.of(charge.counter(), charge.cost()));
      }
    }
    return step;
  }

  private Step refund(Deed deed, List<Target> targets) {
    if (targets.isEmpty()) {
      return Step.NOTHING;
    }
    targets.forEach(target -> owed.subtract(target.key(), target.cost()));
    return decider.perform(deed, targets, Decider.Asker.HERE);
  }

  private Step assemble(List<Ask> asks, Step local, boolean closed, Share share) {
    List<Answer> answers = new ArrayList<>(asks.size());
    int nextLocal = 0;
    for (Ask ask : asks) {
      FallbackMode mode = share.mode(ask);
      long capacity = ask.limit().algorithm().capacity();
      Answer answer =
          switch (mode) {
            case OPEN -> open(capacity);
            case CLOSED -> refused(capacity, Certainty.CLOSED);
            case LOCAL, SHARE ->
                local.answers().isEmpty()
                    ? refused(capacity, Certainty.DEGRADED)
                    : local.answers().get(nextLocal++).as(Certainty.DEGRADED);
          };
      metrics.fallback(ask.rule(), mode, answer.allowed());
      answers.add(answer);
    }
    return new Step(local.end(), local.passed() && !closed, answers, local.charges(), List.of());
  }

  private Step notDone(List<Ask> asks, Share share) {
    List<Answer> answers = new ArrayList<>(asks.size());
    for (Ask ask : asks) {
      FallbackMode mode = share.mode(ask);
      Certainty certainty = mode == FallbackMode.CLOSED ? Certainty.CLOSED : Certainty.DEGRADED;
      answers.add(refused(ask.limit().algorithm().capacity(), certainty));
      metrics.fallback(ask.rule(), mode, false);
    }
    return Step.decided(false, answers, List.of(), List.of());
  }

  private Target target(Ask ask, Share share) {
    Algorithm algorithm = scaled(ask, share);
    CounterKey key = buckets.keyOf(ask.limit().id(), ask.values());
    boolean shadow = ask.rule().effect().presentation().shadow();
    FailurePolicy policy = ask.rule().effect().failure();
    return new Target(key, buckets.slotOf(ask.place()), algorithm, ask.cost(), shadow, policy);
  }

  private Algorithm scaled(Ask ask, Share share) {
    FailurePolicy policy = ask.rule().effect().failure();
    boolean cutOff = share.cause() == FallbackMode.Cause.CUT_OFF;
    Algorithm stated = policy.local();
    if (stated != null && !cutOff) {
      return stated;
    }
    Whole whole =
        new Whole(
            ask.limit().algorithm(),
            cutOff ? FailurePolicy.ONE_MILLION : policy.localFractionMillionths());
    int nodes = share.nodes();
    Scaled known = shares.get(whole);
    if (known != null && known.nodes() == nodes) {
      return known.algorithm();
    }
    Algorithm scaled =
        whole.algorithm().scaled(whole.fractionMillionths(), nodes * FailurePolicy.ONE_MILLION);
    shares.put(whole, new Scaled(nodes, scaled));
    return scaled;
  }

  private static Answer open(long capacity) {
    return new Answer(true, capacity, capacity, 0, Answer.NO_RESET, 0, Certainty.DEGRADED);
  }

  private static Answer refused(long capacity, Certainty certainty) {
    return new Answer(false, capacity, 0, SECOND_NANOS, Answer.NO_RESET, 0, certainty);
  }
}
