package io.ringfence.chaos;

import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;

/** {@code java -jar chaos-tests/target/ringfence-chaos.jar COMMAND}; {@code --help} lists them. */
@Command(
    name = "ringfence-chaos",
    description = "Does things to nodes, real or simulated, and prints what came of it.",
    mixinStandardHelpOptions = true,
    subcommands = {
      ExactnessRun.class,
      TwoLimitsRun.class,
      FaultsRun.class,
      MoveRun.class,
      StuckRun.class,
      FloodRun.class,
      StartRun.class,
      SimulateRun.class,
      SwarmCommand.class
    })
public final class Main {
  private Main() {}

  /** Exits with 0 when all was as promised, 1 when not, 2 for a wrong command line. */
  public static void main(String[] args) {
    CommandLine line = new CommandLine(new Main());
    line.setExecutionExceptionHandler((failure, command, parsed) -> told(failure, command));
    System.exit(line.execute(args));
  }

  /** Says in a line what a user can mend; what he can not is thrown with its trace. */
  private static int told(Exception failure, CommandLine command) throws Exception {
    if (failure instanceof IOException || failure instanceof IllegalStateException) {
      command.getErr().println("ringfence-chaos: " + failure.getMessage());
      return ExitCode.SOFTWARE;
    }
    throw failure;
  }
}
