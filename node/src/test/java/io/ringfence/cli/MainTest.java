package io.ringfence.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.config.NodeFlag;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
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

  @Test
  void helpOfNodeHasEveryFlag() {
    Ran ran = Ran.command("node", "--help");
    assertEquals(0, ran.exitCode());
    for (NodeFlag flag : NodeFlag.values()) {
      assertTrue(ran.out().contains("  " + flag.flag() + "=" + flag.value()), ran.out());
      assertTrue(ran.out().replaceAll("\\s+", " ").contains(flag.description()), ran.out());
    }
    assertTrue(ran.out().contains("--config=FILE"), ran.out());
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.7:9901", "0.0.0.0:0", "[2001:db8::1]:9901"})
  void anAdminAddressThatOthersReachNeedsAToken(String address) {
    assertEquals(
        new Ran(
            2,
            "",
            "ringfence: --admin: listen.admin "
                + address
                + " is not a loopback address, and there is no token: give one by"
                + " --admin-token-file or auth.admin_token_file, or listen on 127.0.0.1\n"),
        Ran.command("node", "--http", "127.0.0.1:0", "--admin", address));
  }

  @ParameterizedTest
  @EnumSource(NodeFlag.class)
  void everyFlagOfNodeReachesItsField(NodeFlag flag) {
    Ran ran = Ran.command("node", flag.flag(), "\u0000".repeat(3_000));
    assertEquals(2, ran.exitCode());
    assertTrue(ran.err().startsWith("ringfence: " + flag.flag() + ": "), ran.err());
  }
}
