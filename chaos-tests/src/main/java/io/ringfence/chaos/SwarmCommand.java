package io.ringfence.chaos;

import io.ringfence.chaos.swarm.Campaign;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

  @Mixin private final SimulatedRuns runs = new SimulatedRuns();

  @Option(names = "--story", description = "Tell what happens in the run of --from, and no other.")
  private boolean story;

  @Override
  public Integer call() {
    SimulatedRuns.silenceLogs();
    if (story) {
      Campaign.story(from).forEach(System.out::println);
      return Campaign.breaks(from) ? 1 : 0;
    }
    return runs.run(
        from,
        seeds,
        Campaign::run,
        new SimulatedRuns.Simulator("runs", "a cluster in which state", Campaign::story));
  }
}
