package io.ringfence.chaos;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code java -jar chaos-tests/target/ringfence-chaos.jar COMMAND}; {@code --help} lists them. */
@Command(
    name = "ringfence-chaos",
    description = "Does things to nodes, real or simulated, and prints what came of it.",
    mixinStandardHelpOptions = true,
    subcommands = {
      ExactnessRun.class,
      TwoLimitsRun.class,
      KillRun.class,
      StuckRun.class,
      FloodRun.class,
      StartRun.class,
      SimulateRun.class
    })
public final class Main {
  private Main() {}

  /** Exits with 0 when all was as promised, 1 when not, 2 for a wrong command line. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Main()).execute(args));
  }
}
