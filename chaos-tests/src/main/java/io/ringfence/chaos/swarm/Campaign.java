package io.ringfence.chaos.swarm;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Many runs, of one seed after another.
 *
 * <p>Threads take the next seed as they become free. What comes out of a seed does not depend on
 * them: runs share nothing.
 */
public final class Campaign {
  private static final int MOST_VIOLATIONS = 100; // more are counted, and not kept

  private final long firstSeed;
  private final long seeds;
  private final BooleanSupplier enough;
  private final AtomicLong next = new AtomicLong();

  private final Coverage coverage = new Coverage(); // guarded by this
  private final List<Violation> violations = new ArrayList<>(); // guarded by this
  private long done; // guarded by this
  private long checks; // guarded by this
  private long violated; // guarded by this

  private Campaign(long firstSeed, long seeds, BooleanSupplier enough) {
    this.firstSeed = firstSeed;
    this.seeds = seeds;
    this.enough = enough;
  }

  /**
   * A run that broke an invariant.
   *
   * @param seed of the run
   * @param what its kind, and what broke first
   */
  public record Violation(long seed, String what) {}

  /**
   * What came of all runs.
   *
   * @param runs how many there were
   * @param checks in all of them
   * @param violated how many broke something
   * @param violations the first of those, by seed
   * @param coverage what the faults met
   */
  public record Result(
      long runs, long checks, long violated, List<Violation> violations, Coverage coverage) {}

  /**
   * Runs seeds from the first on. Blocks until done.
   *
   * @param seeds how many at most
   * @param threads how many at a time, 1 or more
   * @param enough asked before each run; once true, no further run begins
   */
  public static Result run(long firstSeed, long seeds, int threads, BooleanSupplier enough) {
    Campaign campaign = new Campaign(firstSeed, seeds, enough);
    List<Thread> workers = new ArrayList<>();
    for (int i = 1; i < threads; i++) {
      Thread worker = new Thread(campaign::work, "swarm-" + i);
      worker.setDaemon(true);
      worker.start();
      workers.add(worker);
    }
    campaign.work();
    for (Thread worker : workers) {
      try {
        worker.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while simulating", e);
      }
    }
    return campaign.result();
  }

  /** The story of one seed, a line each, with what broke. */
  public static List<String> story(long seed) {
    return SwarmRun.run(seed, true).story();
  }

  /** Whether one seed breaks an invariant. */
  public static boolean breaks(long seed) {
    return !SwarmRun.run(seed, false).findings().isEmpty();
  }

  private void work() {
    while (!enough.getAsBoolean()) {
      long index = next.getAndIncrement();
      if (index >= seeds) {
        return;
      }
      add(SwarmRun.run(firstSeed + index, false));
    }
  }

  private synchronized void add(Outcome outcome) {
    done++;
    checks += outcome.checks();
    coverage.add(outcome.coverage());
    if (!outcome.findings().isEmpty()) {
      violated++;
      if (violations.size() < MOST_VIOLATIONS) {
        violations.add(
            new Violation(outcome.seed(), outcome.kind() + " " + outcome.findings().get(0)));
      }
    }
  }

  private synchronized Result result() {
    List<Violation> bySeed = new ArrayList<>(violations);
    bySeed.sort((a, b) -> Long.compare(a.seed(), b.seed()));
    return new Result(done, checks, violated, List.copyOf(bySeed), coverage);
  }
}
