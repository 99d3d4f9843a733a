package io.ringfence.chaos;

import io.ringfence.chaos.virtual.Runs;
import io.ringfence.chaos.wire.MachineClock;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongFunction;
import picocli.CommandLine.Option;

/** The options that commands of simulators share, and what they print. */
final class SimulatedRuns {
  @Option(names = "--minutes", description = "Stop after this long, whatever is left.")
  private double minutes = Double.POSITIVE_INFINITY;

  @Option(names = "--threads", description = "Runs at a time (default: one a processor).")
  private int threads = Runtime.getRuntime().availableProcessors();

  /**
   * How a simulator is spoken of.
   *
   * @param unit what its runs are called
   * @param met what its coverage counts, as the end of a heading
   * @param story the story of one seed
   */
  record Simulator(String unit, String met, LongFunction<List<String>> story) {}

  /** Engines log; nobody listens to those of a simulation, and SLF4J need not say so. */
  static void silenceLogs() {
    System.setProperty("slf4j.internal.verbosity", "ERROR");
  }

  /** Runs the seeds and prints what came of them, as Markdown; the command's exit code. */
  int run(
      long first,
      long count,
      Function<Runs.Seeds, ? extends Runs.Result<?>> runs,
      Simulator simulator) {
    long startNanos = MachineClock.nanos();
    double limitNanos = minutes * Duration.ofMinutes(1).toNanos();
    Runs.Result<?> result =
        runs.apply(
            new Runs.Seeds(
                first, count, threads, () -> MachineClock.nanos() - startNanos > limitNanos));
    double seconds = (MachineClock.nanos() - startNanos) / 1e9;
    System.out.print(
        new Table(simulator.unit(), "checks", "seconds", simulator.unit() + "/s", "violations")
            .row(
                "%,d".formatted(result.runs()),
                "%,d".formatted(result.checks()),
                "%.1f".formatted(seconds),
                "%,.0f".formatted(result.runs() / seconds),
                result.violated()));
    Runs.Coverage<?> coverage = result.coverage();
    System.out.println("\nHow often each fault met " + simulator.met() + ":\n");
    System.out.print(coverage.markdown());
    coverage.missing().forEach(pair -> System.out.println("never met: " + pair));
    if (result.violations().isEmpty()) {
      return 0;
    }
    System.out.println("\nViolations:\n");
    result
        .violations()
        .forEach(each -> System.out.println("seed " + each.seed() + ": " + each.what()));
    long broken = result.violations().get(0).seed();
    System.out.println("\nThe story of seed " + broken + ":\n");
    simulator.story().apply(broken).forEach(System.out::println);
    return 1;
  }
}
