package io.ringfence.engine;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.engine.LimitVerdict.Answer;
import io.ringfence.ring.RingSettings;
import io.ringfence.rules.Ask;
import io.ringfence.rules.FailurePolicy;
import io.ringfence.rules.OnUnavailable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What is answered when the owner of a counter cannot be asked.
 *
 * <p>Each rule says what: open admits, closed refuses, local asks a bucket inside this process. A
 * local bucket admits max(1, floor(limit / nodes x fraction)) where nodes are those of the last
 * view; rate and burst are scaled alike. It counts in a table of its own, apart from the counters
 * that this node owns, and it goes on for its window whatever heals meanwhile, so that flapping
 * does not refill it. When that table has no room the check is refused: a flood of keys during an
 * outage admits no more than the table holds.
 *
 * <p>Never silent: every answer is marked and counted. Thread-safe.
 */
final class Fallback {
  private static final long MAX_LOCAL_BUCKETS = 200_000;
  private static final long RETRY_AFTER_NANOS = 1_000_000_000L;

  private final Slots buckets;
  private final Decider decider;
  private final EngineMetrics metrics;
  // of the current rules and size of the view; at most one entry a limit
  private final ConcurrentHashMap<Algorithm, Share> shares = new ConcurrentHashMap<>();

  Fallback(RingSettings ring, BoundsSettings bounds, EnginePorts ports) {
    this.buckets = new Slots(ring, Math.min(MAX_LOCAL_BUCKETS, bounds.keys()));
    for (int slot = 0; slot < buckets.count(); slot++) {
      buckets.open(slot, null);
    }
    this.decider = new Decider(buckets, ports.clock());
    this.metrics = ports.metrics();
  }

  private record Share(int nodes, long fractionMillionths, Algorithm algorithm) {}

  /**
   * Answers for counters whose owner was not reached.
   *
   * @param nodes how many members the last view had, 1 or more
   * @param charge whether local buckets are charged if all pass
   */
  Step answer(List<Ask> asks, int nodes, boolean charge) {
    List<Target> targets = new ArrayList<>(asks.size());
    boolean closed = false;
    for (Ask ask : asks) {
      switch (ask.rule().effect().failure().onUnavailable()) {
        case LOCAL -> targets.add(target(ask, nodes));
        case CLOSED -> closed |= !ask.rule().effect().presentation().shadow();
        case OPEN -> {}
      }
    }
    Step local = decide(targets, charge && !closed);
    return assemble(asks, local, local.passed() && !closed);
  }

  /** Forgets the shares of limits that are no longer in force. */
  void rulesChanged() {
    shares.clear();
  }

  void sweep(int turns, Moment now) {
    buckets.sweep(turns, now);
  }

  private Step decide(List<Target> targets, boolean charge) {
    if (targets.isEmpty()) {
      return Step.decided(true, List.of(), List.of());
    }
    Step step = charge ? decider.charge(targets) : decider.peek(targets);
    if (step.end() == Step.End.NO_ROOM) {
      metrics.overflow("local_buckets");
    }
    return step;
  }

  private Step assemble(List<Ask> asks, Step local, boolean passed) {
    List<Answer> answers = new ArrayList<>(asks.size());
    int nextLocal = 0;
    for (Ask ask : asks) {
      OnUnavailable mode = ask.rule().effect().failure().onUnavailable();
      long capacity = ask.limit().algorithm().capacity();
      Answer answer =
          switch (mode) {
            case OPEN -> open(capacity);
            case CLOSED -> refused(capacity, Certainty.CLOSED);
            case LOCAL ->
                local.answers().isEmpty()
                    ? refused(capacity, Certainty.DEGRADED)
                    : degraded(local.answers().get(nextLocal++));
          };
      metrics.fallback(ask.rule(), mode, answer.allowed());
      answers.add(answer);
    }
    return Step.decided(passed, answers, local.charges());
  }

  private Target target(Ask ask, int nodes) {
    Algorithm algorithm = share(ask, nodes);
    CounterKey key = buckets.keyOf(ask.limit().id(), ask.values());
    boolean shadow = ask.rule().effect().presentation().shadow();
    return new Target(key, buckets.slotOf(ask.place()), algorithm, ask.cost(), shadow);
  }

  private Algorithm share(Ask ask, int nodes) {
    FailurePolicy policy = ask.rule().effect().failure();
    if (policy.local() != null) {
      return policy.local();
    }
    Algorithm whole = ask.limit().algorithm();
    long fraction = policy.localFractionMillionths();
    Share known = shares.get(whole);
    if (known != null && known.nodes() == nodes && known.fractionMillionths() == fraction) {
      return known.algorithm();
    }
    Algorithm scaled = whole.scaled(fraction, nodes * FailurePolicy.ONE_MILLION);
    shares.put(whole, new Share(nodes, fraction, scaled));
    return scaled;
  }

  private static Answer open(long capacity) {
    return new Answer(true, capacity, capacity, 0, Answer.NO_RESET, 0, Certainty.DEGRADED);
  }

  private static Answer refused(long capacity, Certainty certainty) {
    return new Answer(false, capacity, 0, RETRY_AFTER_NANOS, Answer.NO_RESET, 0, certainty);
  }

  private static Answer degraded(Answer local) {
    return new Answer(
        local.allowed(),
        local.limit(),
        local.remaining(),
        local.retryAfterNanos(),
        local.resetAtMillis(),
        local.delayNanos(),
        Certainty.DEGRADED);
  }
}
