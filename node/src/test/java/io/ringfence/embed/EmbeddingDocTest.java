package io.ringfence.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program of docs/embedding.md does what the page says, as it stands there. */
class EmbeddingDocTest {
  @TempDir Path dir;

  @Test
  void theProgramOfThePageCompilesAndRuns() throws Exception {
    String page = Files.readString(Path.of("../docs/embedding.md"));
    String program = page.substring(page.indexOf("```java") + 8, page.lastIndexOf("```"));
    assertTrue(program.lines().count() < 30, "a page with a program under 30 lines");
    Path source = Files.writeString(dir.resolve("Gateway.java"), program);
    ByteArrayOutputStream problems = new ByteArrayOutputStream();
    int compiled =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                problems,
                problems,
                "-d",
                dir.toString(),
                "-cp",
                System.getProperty("java.class.path"),
                source.toString());
    assertEquals(0, compiled, () -> problems.toString(StandardCharsets.UTF_8));
    assertEquals("true\n1\nEXACT\nfalse\n", run().replace(System.lineSeparator(), "\n"));
  }

  private String run() throws Exception {
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    URL[] compiled = {dir.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(compiled, getClass().getClassLoader());
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
      System.setOut(out);
      loader
          .loadClass("Gateway")
          .getMethod("main", String[].class)
          .invoke(null, (Object) new String[0]);
    } finally {
      System.setOut(before);
    }
    return printed.toString(StandardCharsets.UTF_8);
  }
}
