package io.ringfence.chaos.virtual;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Many runs of a simulator, of one seed after another.
 *
 * <p>Threads take the next seed as they become free. What comes out of a seed does not depend on
 * them: runs share nothing.
 *
 * @param <C> what the simulator tells of the faults of its runs
 */
public final class Runs<C extends Runs.Coverage<C>> {
  private static final int MOST_VIOLATIONS = 100; // more are counted, and not kept

  private final LongFunction<Ran<C>> simulator;
  private final Seeds seeds;
  private final AtomicLong next = new AtomicLong();

  private final C coverage; // guarded by this
  private final List<Violation> violations = new ArrayList<>(); // guarded by this
  private long done; // guarded by this
  private long checks; // guarded by this
  private long violated; // guarded by this

  private Runs(LongFunction<Ran<C>> simulator, C coverage, Seeds seeds) {
    this.simulator = simulator;
    this.coverage = coverage;
    this.seeds = seeds;
  }

  /** What the faults of runs met. */
  public interface Coverage<C> {
    /** Adds what those of another run met. */
    void add(C other);

    /** Pairs that enough runs must have met, and these did not. */
    List<String> missing();

    /** All of it, as a table. */
    String markdown();
  }

  /**
   * What came of one run.
   *
   * @param seed its seed
   * @param checks how many were made
   * @param broke what broke first, or null if nothing did
   * @param coverage what its faults met
   */
  public record Ran<C>(long seed, long checks, @Nullable String broke, C coverage) {}

  /**
   * Which runs there are to be.
   *
   * @param first the first seed
   * @param count how many seeds at most
   * @param threads how many at a time, 1 or more
   * @param enough asked before each run; once true, no further run begins
   */
  public record Seeds(long first, long count, int threads, BooleanSupplier enough) {}

  /**
   * A run that broke an invariant.
   *
   * @param seed of the run
   * @param what broke first
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
  public record Result<C extends Coverage<C>>(
      long runs, long checks, long violated, List<Violation> violations, C coverage) {}

  /**
   * Runs seeds. Blocks until done.
   *
   * @param coverage empty; taken over
   */
  public static <C extends Coverage<C>> Result<C> of(
      LongFunction<Ran<C>> simulator, C coverage, Seeds seeds) {
    Runs<C> runs = new Runs<>(simulator, coverage, seeds);
    List<Thread> workers = new ArrayList<>();
    for (int i = 1; i < seeds.threads(); i++) {
      Thread worker = new Thread(runs::work, "simulator-" + i);
      worker.setDaemon(true);
      worker.start();
      workers.add(worker);
    }
    runs.work();
    for (Thread worker : workers) {
      try {
        worker.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while simulating", e);
      }
    }
    return runs.result();
  }

  private void work() {
    while (!seeds.enough().getAsBoolean()) {
      long index = next.getAndIncrement();
      if (index >= seeds.count()) {
        return;
      }
      add(simulator.apply(seeds.first() + index));
    }
  }

  private synchronized void add(Ran<C> run) {
    done++;
    checks += run.checks();
    coverage.add(run.coverage());
    String broke = run.broke();
    if (broke != null) {
      violated++;
      if (violations.size() < MOST_VIOLATIONS) {
        violations.add(new Violation(run.seed(), broke));
      }
    }
  }

  private synchronized Result<C> result() {
    List<Violation> bySeed = new ArrayList<>(violations);
    bySeed.sort(Comparator.comparingLong(Violation::seed));
    return new Result<>(done, checks, violated, List.copyOf(bySeed), coverage);
  }
}
