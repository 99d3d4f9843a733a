package io.ringfence.chaos.netns;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The program {@code ip} of iproute2, one call at a time. */
final class IpCommand {
  private static final long PATIENCE_SECONDS = 30;

  private IpCommand() {}

  /**
   * Runs it.
   *
   * @param words separated by single blanks
   * @return what it printed
   * @throws IOException with its own words where it is not there or says no
   */
  static String run(String words) throws IOException {
    return run(List.of(words.split(" ", -1)));
  }

  /** The same for words that have blanks in them. */
  static String run(List<String> words) throws IOException {
    List<String> command = new ArrayList<>(List.of("ip"));
    command.addAll(words);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException(String.join(" ", command) + ": " + text.strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted in " + command, e);
    } finally {
      process.destroyForcibly();
    }
    return text;
  }
}
