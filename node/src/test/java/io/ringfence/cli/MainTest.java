package io.ringfence.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
  @Test
  void helpNamesEveryCommand() {
    Ran ran = Ran.command("--help");
    assertEquals(0, ran.exitCode());
    for (String command : new String[] {"node", "validate", "check", "cluster"}) {
      assertTrue(Pattern.compile("(?m)^  " + command + "\\b").matcher(ran.out()).find(), ran.out());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"validate", "check", "cluster"})
  void helpOfACommandHasAnExampleAndItsExitCodes(String command) {
    Ran ran = Ran.command(command, "--help");
    assertEquals(0, ran.exitCode());
    assertTrue(ran.out().contains("Exit codes: 0"), ran.out());
    assertTrue(ran.out().contains("  ringfence " + command + " "), ran.out());
  }

  @ParameterizedTest
  @ValueSource(strings = {"--version", "node --version", "check -V"})
  void versionNamesTheJavaToo(String arguments) {
    Ran ran = Ran.command(arguments.split(" "));
    assertEquals(0, ran.exitCode());
    assertTrue(ran.out().matches("ringfence \\S.*, Java \\d+.*\n"), ran.out());
  }

  @Test
  void flagBeforeItsCommandIsExplained() {
    assertEquals(
        new Ran(
            2,
            "",
            """
            ringfence: Unknown options: '--http', '127.0.0.1:0'
            Flags come after the command: ringfence node --http 127.0.0.1:8081
            Try: ringfence --help
            """),
        Ran.command("--http", "127.0.0.1:0"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"chekc", "--urll", "-x", "\u001b[2J"})
  void whatIsNotKnownIsNamed(String argument) {
    Ran ran = Ran.command(argument);
    assertEquals(2, ran.exitCode());
    assertEquals("", ran.out());
    assertTrue(ran.err().contains("'" + Printable.of(argument) + "'"), ran.err());
    assertTrue(ran.err().endsWith("Try: ringfence --help\n"), ran.err());
  }
}
