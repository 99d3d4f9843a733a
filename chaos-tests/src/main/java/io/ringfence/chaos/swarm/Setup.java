package io.ringfence.chaos.swarm;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.algorithms.Kind;
import io.ringfence.algorithms.Timeline;
import io.ringfence.chaos.virtual.Agenda;
import io.ringfence.engine.ForwardSettings;
import io.ringfence.ring.Placement;
import io.ringfence.ring.RingSettings;
import io.ringfence.rules.Action;
import io.ringfence.rules.Durability;
import io.ringfence.rules.FailurePolicy;
import io.ringfence.rules.Limit;
import io.ringfence.rules.Match;
import io.ringfence.rules.Request;
import io.ringfence.rules.Rule;
import io.ringfence.rules.RuleSet;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What all processes of one run have in common.
 *
 * <p>There is one rule, by client, and its window is so long that nothing comes back while the run
 * lasts: of each key exactly the limit may ever be admitted, whatever the algorithm.
 *
 * @param seed of everything that is left to chance
 * @param kind how the rule counts
 * @param limit L, of each key
 * @param keys how many keys there are
 * @param policy what the rule wants for the case of failures
 * @param ring the ring; of at most 64 slots, so that a set of them is a number
 * @param tempo how fast the network is
 */
record Setup(
    long seed,
    Kind kind,
    int limit,
    int keys,
    FailurePolicy policy,
    RingSettings ring,
    Tempo tempo) {
  /** A short probe interval, so that a run need not be long for breakers to close again. */
  static final ForwardSettings FORWARD =
      new ForwardSettings(Duration.ofMillis(20), 5, Duration.ofMillis(100));

  private static final int POINTS = 32;
  private static final long MOST_AHEAD_NANOS = 1_000_000_000_000L;
  private static final long MOST_RATE_PPM = 24_000;
  private static final long MOST_SKEW_NANOS = 40_000_000;
  private static final long AN_HOUR = Duration.ofHours(1).toNanos();
  private static final long A_YEAR = Duration.ofDays(365).toNanos();

  /** A clock of a process that starts now. */
  ProcessClock clock(Agenda agenda, SplittableRandom chance) {
    return new ProcessClock(
        agenda,
        chance.nextLong(MOST_AHEAD_NANOS),
        chance.nextLong(-MOST_RATE_PPM, MOST_RATE_PPM + 1),
        chance.nextLong(-MOST_SKEW_NANOS, MOST_SKEW_NANOS + 1));
  }

  /** The ring of a seed. */
  static RingSettings ring(int slots, long seed) {
    return new RingSettings(slots, POINTS, seed * 31 + 7, ~seed);
  }

  Algorithm algorithm() {
    return switch (kind) {
      case FIXED_WINDOW, SLIDING_WINDOW_COUNTER -> Algorithm.of(kind, limit, AN_HOUR, 0);
      case SLIDING_WINDOW_LOG -> Algorithm.of(kind, limit, A_YEAR, 0);
      case TOKEN_BUCKET, GCRA -> Algorithm.of(kind, limit, A_YEAR, limit);
      case LEAKING_BUCKET -> Algorithm.of(kind, limit, A_YEAR, limit - 1);
    };
  }

  RuleSet rules() {
    List<String> by = List.of("client");
    Rule.Effect effect =
        new Rule.Effect(
            Action.LIMIT,
            List.of(Limit.of("r", by, null, algorithm(), "long")),
            1,
            new Rule.Presentation(false, 429),
            policy);
    return new RuleSet(
        "swarm", List.of(new Rule("r", Match.ANY, by, new Rule.Order("r", 1, 0, 0), effect)));
  }

  Durability durability() {
    return policy.durability();
  }

  /**
   * The least that is taken for used of a key of which nobody knows any more. All windows that are
   * aligned are a third over when a run begins, and not much more when it ends.
   */
  long leastAssumed() {
    return switch (policy.onStateLost()) {
      case FRESH -> 0;
      case PRORATED -> isAligned() ? limit / 3 : limit / 2;
      case SPENT -> limit;
    };
  }

  /** The most that is. */
  long mostAssumed() {
    return switch (policy.onStateLost()) {
      case FRESH -> 0;
      case PRORATED -> (limit + 1) / 2;
      case SPENT -> limit;
    };
  }

  private boolean isAligned() {
    return algorithm().timeline() == Timeline.WALL;
  }

  static Request request(int key) {
    return Request.of("k" + key);
  }

  int slotOf(int key) {
    return new Placement(ring).slotOf("client", "k" + key);
  }

  /** What one node may admit of a key by itself. */
  int share(int members) {
    return Math.max(1, limit / members);
  }
}
