package io.ringfence.chaos;

import io.ringfence.chaos.sim.Campaign;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

  @Mixin private final SimulatedRuns runs = new SimulatedRuns();

  @Option(names = "--story", description = "Tell what happens in the run of --seed, and no other.")
  private boolean story;

  @Override
  public Integer call() {
    SimulatedRuns.silenceLogs();
    if (story) {
      Campaign.story(seed).forEach(System.out::println);
      return Campaign.seedsToViolation(seed, 1) == 0 ? 0 : 1;
    }
    return runs.run(
        seed,
        schedules,
        Campaign::run,
        new SimulatedRuns.Simulator("schedules", "each step", Campaign::story));
  }
}
