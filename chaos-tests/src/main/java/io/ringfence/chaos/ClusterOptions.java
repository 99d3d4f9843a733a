package io.ringfence.chaos;

import io.ringfence.chaos.cluster.Cluster;
import io.ringfence.chaos.cluster.ClusterFiles;
import io.ringfence.chaos.cluster.Launcher;
import io.ringfence.chaos.cluster.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of every command: which nodes are started, and how. */
final class ClusterOptions {
  @Option(
      names = "--nodes",
      defaultValue = "3",
      description = "How many nodes (default: ${DEFAULT-VALUE}).")
  int nodes;

  @Option(
      names = "--jar",
      description = "The node's jar (default: the one that the build packages).")
  private @Nullable Path jar;

  @Option(
      names = "--config",
      description =
          "A node file of your own, for all nodes; names, addresses, rules and secret are given by"
              + " flags and win over it.")
  private @Nullable Path config;

  @Option(
      names = "--home",
      defaultValue = "target/chaos",
      description = "Where logs go (default: ${DEFAULT-VALUE}).")
  private Path home = Path.of("target/chaos");

  /** For a run that is about three nodes. */
  void requireThreeNodes() {
    if (nodes != 3) {
      throw new IllegalArgumentException("this run is of 3 nodes, not " + nodes);
    }
  }

  /** The names of the nodes: n1, n2 and so on. */
  List<String> names() {
    return IntStream.rangeClosed(1, nodes).mapToObj(i -> "n" + i).toList();
  }

  /**
   * A cluster of which nothing runs yet.
   *
   * @param ownConfig the node file where the user names none
   */
  Cluster cluster(String title, String ownConfig, String rules) throws IOException {
    return cluster(title, ownConfig, rules, names());
  }

  /** The same of other nodes than the options say. */
  Cluster cluster(String title, String ownConfig, String rules, List<String> names)
      throws IOException {
    return cluster(title, ownConfig, rules, names, Site.LOOPBACK);
  }

  /** The same in a place of their own. */
  Cluster cluster(String title, String ownConfig, String rules, List<String> names, Site site)
      throws IOException {
    return new Cluster(launcher(), files(title, ownConfig, rules), names, site);
  }

  /** What starts a node. */
  Launcher launcher() {
    Path named = jar;
    return named == null ? Launcher.packaged() : Launcher.ofJar(named);
  }

  /** The files of a cluster, in a directory of their own. */
  ClusterFiles files(String title, String ownConfig, String rules) throws IOException {
    Path path = config;
    String text = path == null ? ownConfig : Files.readString(path);
    return ClusterFiles.write(home, title, text, rules);
  }
}
