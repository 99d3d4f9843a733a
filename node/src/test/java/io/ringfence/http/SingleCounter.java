package io.ringfence.http;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.algorithms.CounterState;
import io.ringfence.algorithms.Decision;
import io.ringfence.algorithms.Timeline;
import io.ringfence.engine.Certainty;
import io.ringfence.engine.LimitVerdict;
import io.ringfence.engine.LimitVerdict.Answer;
import io.ringfence.engine.Verdict;
import io.ringfence.rules.Action;
import io.ringfence.rules.Limit;
import io.ringfence.rules.Rule;
import java.util.List;

/** One counter of a real algorithm on the virtual clock, asked as an engine would ask it. */
final class SingleCounter {
  private final Algorithm algorithm;
  private final ManualClock clock;
  private final CounterState state;
  private final Rule rule;
  private final Limit limit;

  SingleCounter(Algorithm algorithm, ManualClock clock) {
    this.algorithm = algorithm;
    this.clock = clock;
    this.state = algorithm.fresh(now());
    this.limit = new Limit(1, null, algorithm, "10s");
    this.rule =
        Verdicts.rule("r", 0, new Rule.Presentation(false, 429), List.of(limit), Action.LIMIT);
  }

  private long now() {
    return algorithm.timeline() == Timeline.WALL ? clock.wallNanos() : clock.elapsedNanos();
  }

  Verdict charge(long cost) {
    Decision decision = algorithm.charge(state, cost, now());
    long resetWallNanos =
        algorithm.timeline() == Timeline.WALL
            ? decision.resetAtNanos()
            : clock.toWallNanos(decision.resetAtNanos());
    Answer answer =
        new Answer(
            decision.allowed(),
            decision.limit(),
            decision.remaining(),
            decision.retryAfterNanos(),
            Outcome.toMillisCeil(resetWallNanos),
            decision.delayNanos(),
            Certainty.EXACT);
    return Verdicts.of(decision.allowed(), new LimitVerdict(rule, limit, answer));
  }
}
