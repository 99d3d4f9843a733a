package io.ringfence.cli;

import io.ringfence.config.ConfigException;
import io.ringfence.config.LoadedRules;
import io.ringfence.config.RulesFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * Checks a rules file without a node: the same reading as a node's, so what passes here starts
 * there. A file that cannot be read says nothing of the rules in it, and has its own exit code.
 *
 * <p>For one thread; blocks for the disk.
 */
@Command(
    name = "validate",
    mixinStandardHelpOptions = true,
    description = "Checks a rules file; needs no node.",
    footer = {
      "",
      "Exit codes: 0 valid, 1 not valid, 2 the file cannot be read.",
      "",
      "Example:",
      "  ringfence validate rules.yaml"
    })
final class ValidateCommand implements Callable<Integer> {
  /** More than a rules file may have; the reader says so in its own words. */
  private static final int MAX_BYTES = 4 * 1024 * 1024;

  private final Terminal terminal;

  @Parameters(paramLabel = "FILE", description = "The rules file")
  private Path file = Path.of("rules.yaml");

  ValidateCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws CommandFailure {
    byte[] content = content();
    try {
      LoadedRules loaded = RulesFile.parse(file.toString(), content);
      int rules = loaded.rules().rules().size();
      terminal.line(
          file
              + ": ok, "
              + rules
              + (rules == 1 ? " rule" : " rules")
              + ", version "
              + loaded.rules().version());
      loaded.warnings().forEach(warning -> terminal.line(file + ": warning: " + warning));
      return ExitCode.YES;
    } catch (ConfigException e) {
      e.problems().forEach(terminal::complain);
      return ExitCode.NO;
    }
  }

  private byte[] content() throws CommandFailure {
    if (Files.isDirectory(file)) {
      throw new CommandFailure(file + ": is a directory");
    }
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(MAX_BYTES);
    } catch (NoSuchFileException e) {
      throw new CommandFailure(file + ": there is no such file");
    } catch (AccessDeniedException e) {
      throw new CommandFailure(file + ": may not be read by this user");
    } catch (IOException e) {
      throw new CommandFailure(file + ": cannot be read: " + e.getMessage());
    }
  }
}
