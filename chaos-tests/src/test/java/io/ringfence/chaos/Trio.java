package io.ringfence.chaos;

import io.ringfence.chaos.cluster.Cluster;
import io.ringfence.chaos.cluster.ClusterFiles;
import io.ringfence.chaos.cluster.Launcher;
import java.nio.file.Path;
import java.util.List;

/** The clusters of the tests: three nodes, n1 to n3, from the packaged jar. */
final class Trio {
  /** For tests of what is exact: a lease must not lapse because the machine is busy. */
  static final String LONG_LEASE = "view: {lease: 2s}\n";

  static final List<String> NAMES = List.of("n1", "n2", "n3");
  private static final Path LOGS = Path.of("target", "chaos");

  private Trio() {}

  /** None of them runs yet. */
  static Cluster of(String title, String config, String rules) {
    return new Cluster(Launcher.packaged(), files(title, config, rules), NAMES);
  }

  /** Files in a directory of their own that outlives the test. */
  static ClusterFiles files(String title, String config, String rules) {
    return ClusterFiles.write(LOGS, title, config, rules);
  }

  /** Tells what was measured, on a line of the test's output. */
  static void measured(String what, Object value) {
    System.out.println("measured: " + what + ": " + value);
  }
}
