package io.ringfence.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ValidateCommandTest {
  @TempDir private Path directory = Path.of("");

  private Ran validate(String content) throws IOException {
    Path file = directory.resolve("rules.yaml");
    Files.writeString(file, content);
    return Ran.command("validate", file.toString()).naming(directory + "/", "");
  }

  @Test
  void validFile() throws IOException {
    assertEquals(
        new Ran(0, "rules.yaml: ok, 1 rule, version 48646010453fa6eb\n", ""),
        validate("rules:\n  - {name: login, by: ip, rate: 5/hour}\n"));
  }

  @Test
  void warningsDoNotMakeItInvalid() throws IOException {
    Ran ran =
        validate(
            """
            rules:
              - {name: login, by: ip, rate: 5/hour, purpose: abuse}
              - {name: all, by: global, rate: 5/second}
            """);
    assertEquals(0, ran.exitCode());
    assertEquals("", ran.err());
    assertTrue(ran.out().startsWith("rules.yaml: ok, 2 rules, version "), ran.out());
    assertTrue(ran.out().contains("\nrules.yaml: warning: rule login: purpose abuse"), ran.out());
  }

  @Test
  void everyMistakeIsNamed() throws IOException {
    Ran ran =
        validate(
            """
            rules:
              - {name: a, by: ip, limit: 5, window: 10}
              - {name: b, by: ip, limitt: 5, window: 10s}
            """);
    assertEquals(1, ran.exitCode());
    assertEquals("", ran.out());
    assertTrue(ran.err().contains("rules.yaml:2: rule a: window"), ran.err());
    assertTrue(
        ran.err().contains("rules.yaml:3: rule b: \"limitt\": is not a known field"), ran.err());
  }

  @Test
  void fileThatCannotBeReadSaysNothingOfItsRules() {
    Path missing = directory.resolve("missing.yaml");
    assertEquals(
        new Ran(2, "", "ringfence: " + missing + ": there is no such file\n"),
        Ran.command("validate", missing.toString()));
    assertEquals(
        new Ran(2, "", "ringfence: " + directory + ": is a directory\n"),
        Ran.command("validate", directory.toString()));
  }

  @Test
  void largeFileIsRefusedByTheReader() throws IOException {
    Ran ran = validate("#".repeat(5 * 1024 * 1024));
    assertEquals(1, ran.exitCode());
    assertTrue(ran.err().contains("is larger than"), ran.err());
  }
}
