package io.ringfence.chaos;

import io.ringfence.chaos.sim.Campaign;
import io.ringfence.chaos.wire.MachineClock;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs simulated schedules by the thousand, or tells the story of one. */
@Command(
    name = "simulate",
    description = "Runs engines on a virtual clock over a failing network, and checks every run.",
    mixinStandardHelpOptions = true)
final class SimulateRun implements Callable<Integer> {
  @Option(
      names = "--schedules",
      defaultValue = "100000",
      description = "How many runs (default: ${DEFAULT-VALUE}).")
  private long schedules;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "The first seed; the others follow it (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(names = "--minutes", description = "Stop after this long, whatever is left.")
  private double minutes = Double.POSITIVE_INFINITY;

  @Option(names = "--threads", description = "Runs at a time (default: one a processor).")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Option(names = "--story", description = "Tell what happens in the run of --seed, and no other.")
  private boolean story;

  @Override
  public Integer call() {
    // Engines log; nobody listens to those of a simulation, and SLF4J need not say so.
    System.setProperty("slf4j.internal.verbosity", "ERROR");
    if (story) {
      Campaign.story(seed).forEach(System.out::println);
      return Campaign.seedsToViolation(seed, 1) == 0 ? 0 : 1;
    }
    long startNanos = MachineClock.nanos();
    double limitNanos = minutes * Duration.ofMinutes(1).toNanos();
    Campaign.Result result =
        Campaign.run(
            seed, schedules, threads, () -> MachineClock.nanos() - startNanos > limitNanos);
    double seconds = (MachineClock.nanos() - startNanos) / 1e9;
    System.out.print(
        new Table("schedules", "checks", "seconds", "schedules/s", "violations")
            .row(
                "%,d".formatted(result.schedules()),
                "%,d".formatted(result.calls()),
                "%.1f".formatted(seconds),
                "%,.0f".formatted(result.schedules() / seconds),
                result.violated()));
    System.out.println("\nHow often each fault met each step:\n");
    System.out.print(result.coverage().markdown());
    result.coverage().missing().forEach(pair -> System.out.println("never met: " + pair));
    if (result.violations().isEmpty()) {
      return 0;
    }
    System.out.println("\nViolations:\n");
    result
        .violations()
        .forEach(each -> System.out.println("seed " + each.seed() + ": " + each.what()));
    long first = result.violations().get(0).seed();
    System.out.println("\nThe story of seed " + first + ":\n");
    Campaign.story(first).forEach(System.out::println);
    return 1;
  }
}
