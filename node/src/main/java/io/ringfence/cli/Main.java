package io.ringfence.cli;

import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * What the jar runs. Without arguments it is {@code node}: one node on loopback with demo rules.
 *
 * <p>Whatever goes wrong is told in a line or a few, never as a stack trace. A defect is told with
 * the place in the code where it showed, which is what a report of it needs.
 */
@Command(
    name = "ringfence",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    description = "A peer-to-peer rate limiter. Without arguments: one node on loopback.",
    footer = {
      "",
      "Examples:",
      "  ringfence                                      a node with demo rules",
      "  ringfence node --config node.yaml              a node of a cluster",
      "  ringfence validate rules.yaml",
      "  ringfence check --key cust_42 --route \"POST /v1/charges\"",
      "  ringfence cluster --url http://127.0.0.1:8080",
      "",
      "`ringfence` stands for: java -jar ringfence.jar"
    })
public final class Main {
  private static final String[] NO_ARGUMENTS = {"node"};

  private Main() {}

  /** Runs a command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    System.exit(run(new Terminal(utf8(System.out), utf8(System.err)), arguments));
  }

  /** JSON is UTF-8 wherever it goes, and so the rest is too. */
  private static PrintWriter utf8(PrintStream stream) {
    return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), true);
  }

  /**
   * Runs a command.
   *
   * @return its exit code
   */
  static int run(Terminal terminal, String... arguments) {
    CommandLine line =
        new CommandLine(new Main())
            .addSubcommand(NodeCommand.line(terminal))
            .addSubcommand(new ValidateCommand(terminal))
            .addSubcommand(new CheckCommand(terminal))
            .addSubcommand(new ClusterCommand(terminal))
            .setOut(terminal.out())
            .setErr(terminal.err())
            .setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF))
            .setExpandAtFiles(false) // a key may begin with @
            .setParameterExceptionHandler((e, all) -> badArguments(terminal, e))
            .setExecutionExceptionHandler((e, command, parsed) -> failed(terminal, e));
    line.getSubcommands()
        .values()
        .forEach(command -> command.getCommandSpec().versionProvider(new Version()));
    int exitCode = line.execute(arguments.length == 0 ? NO_ARGUMENTS : arguments);
    terminal.flush();
    return exitCode;
  }

  private static int badArguments(Terminal terminal, ParameterException e) {
    String command = e.getCommandLine().getCommandSpec().qualifiedName();
    terminal.complain(command + ": " + e.getMessage());
    UnmatchedArgumentException.printSuggestions(e, terminal.err());
    boolean flag = e instanceof UnmatchedArgumentException unmatched && unmatched.isUnknownOption();
    if (flag && e.getCommandLine().getParent() == null) {
      terminal.complain("Flags come after the command: ringfence node --http 127.0.0.1:8081");
    }
    terminal.complain("Try: " + command + " --help");
    return ExitCode.UNKNOWN;
  }

  private static int failed(Terminal terminal, Exception e) {
    if (e instanceof CommandFailure failure) {
      terminal.complain("ringfence: " + failure.line());
    } else {
      StackTraceElement[] trace = e.getStackTrace();
      String place = trace.length == 0 ? "an unknown place" : trace[0].toString();
      terminal.complain("ringfence: a defect, please report it: " + e + " at " + place);
    }
    return ExitCode.UNKNOWN;
  }

  /** What {@code --version} prints. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Main.class.getPackage().getImplementationVersion();
      return new String[] {
        "ringfence "
            + (version == null ? "(not from its jar)" : version)
            + ", Java "
            + Runtime.version()
      };
    }
  }
}
