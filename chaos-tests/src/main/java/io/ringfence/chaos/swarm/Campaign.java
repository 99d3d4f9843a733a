package io.ringfence.chaos.swarm;

import io.ringfence.chaos.virtual.Runs;
import java.util.List;

/** Many runs of the swarm. */
public final class Campaign {
  private Campaign() {}

  /** Runs seeds. Blocks until done. */
  public static Runs.Result<Coverage> run(Runs.Seeds seeds) {
    return Runs.of(Campaign::ran, new Coverage(), seeds);
  }

  private static Runs.Ran<Coverage> ran(long seed) {
    Outcome outcome = SwarmRun.run(seed, false);
    String broke =
        outcome.findings().isEmpty() ? null : outcome.kind() + " " + outcome.findings().get(0);
    return new Runs.Ran<>(seed, outcome.checks(), broke, outcome.coverage());
  }

  /** The story of one seed, a line each, with what broke. */
  public static List<String> story(long seed) {
    return SwarmRun.run(seed, true).story();
  }

  /** How many seeds it takes, from this one on, until one breaks an invariant; 0 if none does. */
  public static long seedsToViolation(long first, long most) {
    for (long seed = first; seed < first + most; seed++) {
      if (breaks(seed)) {
        return seed - first + 1;
      }
    }
    return 0;
  }

  /** Whether one seed breaks an invariant. */
  public static boolean breaks(long seed) {
    return ran(seed).broke() != null;
  }
}
