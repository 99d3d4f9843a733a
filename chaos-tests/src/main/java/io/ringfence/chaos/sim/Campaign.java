package io.ringfence.chaos.sim;

import io.ringfence.chaos.virtual.Runs;
import java.util.List;

/** Many runs of this simulator. */
public final class Campaign {
  private Campaign() {}

  /** Runs seeds. Blocks until done. */
  public static Runs.Result<Coverage> run(Runs.Seeds seeds) {
    return Runs.of(Campaign::ran, new Coverage(), seeds);
  }

  private static Runs.Ran<Coverage> ran(long seed) {
    Outcome outcome = Simulation.run(seed, false);
    String broke = outcome.findings().isEmpty() ? null : outcome.findings().get(0).toString();
    return new Runs.Ran<>(seed, outcome.calls(), broke, outcome.coverage());
  }

  /** How many seeds it took until one broke an invariant; 0 if none of so many did. */
  public static long seedsToViolation(long firstSeed, long most) {
    for (long tried = 1; tried <= most; tried++) {
      if (ran(firstSeed + tried - 1).broke() != null) {
        return tried;
      }
    }
    return 0;
  }

  /** The story of one seed, a line each, with what broke. */
  public static List<String> story(long seed) {
    return Simulation.run(seed, true).story();
  }
}
