package io.ringfence.chaos;

import io.ringfence.chaos.swarm.Campaign;
import io.ringfence.chaos.wire.MachineClock;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs simulated clusters by the thousand, or tells the story of one. */
@Command(
    name = "swarm",
    description = "Runs whole clusters on virtual time through faults, and checks what they admit.",
    mixinStandardHelpOptions = true)
final class SwarmCommand implements Callable<Integer> {
  @Option(
      names = "--seeds",
      defaultValue = "10000",
      description = "How many runs (default: ${DEFAULT-VALUE}).")
  private long seeds;

  @Option(
      names = "--from",
      defaultValue = "1",
      description = "The first seed; the others follow it (default: ${DEFAULT-VALUE}).")
  private long from;

  @Option(names = "--minutes", description = "Stop after this long, whatever is left.")
  private double minutes = Double.POSITIVE_INFINITY;

  @Option(names = "--threads", description = "Runs at a time (default: one a processor).")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Option(names = "--story", description = "Tell what happens in the run of --from, and no other.")
  private boolean story;

  @Override
  public Integer call() {
    // Engines and keepers log; nobody listens to those of a simulation, and SLF4J need not say so.
    System.setProperty("slf4j.internal.verbosity", "ERROR");
    if (story) {
      Campaign.story(from).forEach(System.out::println);
      return Campaign.breaks(from) ? 1 : 0;
    }
    long startNanos = MachineClock.nanos();
    double limitNanos = minutes * Duration.ofMinutes(1).toNanos();
    Campaign.Result result =
        Campaign.run(from, seeds, threads, () -> MachineClock.nanos() - startNanos > limitNanos);
    double seconds = (MachineClock.nanos() - startNanos) / 1e9;
    System.out.print(
        new Table("runs", "checks", "seconds", "runs/s", "violations")
            .row(
                "%,d".formatted(result.runs()),
                "%,d".formatted(result.checks()),
                "%.1f".formatted(seconds),
                "%,.0f".formatted(result.runs() / seconds),
                result.violated()));
    System.out.println("\nHow often each fault met a cluster in which state:\n");
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
