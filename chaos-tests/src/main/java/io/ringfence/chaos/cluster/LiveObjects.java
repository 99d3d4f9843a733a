package io.ringfence.chaos.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The objects of another JVM of this machine and user, as its own histogram counts them. */
final class LiveObjects {
  private static final String TOTAL = "Total "; // then how many, and their bytes

  private LiveObjects() {}

  /** Makes that JVM collect its garbage, and counts what is left. */
  static long bytesOf(long pid) throws IOException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    Process process =
        new ProcessBuilder(jcmd.toString(), "" + pid, "GC.class_histogram")
            .redirectErrorStream(true)
            .start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return text.lines()
        .filter(line -> line.startsWith(TOTAL))
        .mapToLong(line -> Long.parseLong(line.split(" +", -1)[2]))
        .findFirst()
        .orElseThrow(() -> new IOException("no total in what jcmd says of " + pid + ": " + text));
  }
}
