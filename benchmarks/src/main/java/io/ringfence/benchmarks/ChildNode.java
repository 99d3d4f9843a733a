package io.ringfence.benchmarks;

import io.ringfence.config.ConfigException;
import io.ringfence.config.NodeConfig;
import io.ringfence.embed.RingfenceNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A node in a process of its own. The process ends when its standard input does, so none is left
 * over when the driver dies.
 */
final class ChildNode implements AutoCloseable {
  private static final String READY = "ready ";

  private final Process process;
  private final String http;
  private final String cluster;

  private ChildNode(Process process, String http, String cluster) {
    this.process = process;
    this.http = http;
    this.cluster = cluster;
  }

  /** Starts one that joins the given cluster at the given address, and waits until it is ready. */
  static ChildNode start(Path dir, String name, String cluster, String join) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Process process =
        new ProcessBuilder(
                List.of(
                    java,
                    "-Xmx512m",
                    "-cp",
                    System.getProperty("java.class.path"),
                    ChildNode.class.getName(),
                    dir.toString(),
                    name,
                    cluster,
                    join))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      if (line.startsWith(READY)) {
        List<String> addresses = List.of(line.substring(READY.length()).split(" ", -1));
        return new ChildNode(process, addresses.get(0), addresses.get(1));
      }
    }
    throw new IOException("the process of " + name + " ended before it was ready");
  }

  /** Where it serves HTTP, as host:port. */
  String http() {
    return http;
  }

  /** Where others join it, as host:port. */
  String cluster() {
    return cluster;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  /** Runs in the process of its own: directory, name, cluster, address to join. */
  public static void main(String[] args) throws IOException, ConfigException, InterruptedException {
    NodeConfig config = Demo.node(Path.of(args[0]), args[1], args[2], args[3]);
    try (RingfenceNode node = RingfenceNode.start(config)) {
      if (!node.awaitReady(Duration.ofSeconds(60))) {
        throw new IllegalStateException(args[1] + " is not ready after 60 s");
      }
      RingfenceNode.Addresses addresses = node.addresses();
      System.out.println(READY + addresses.http() + " " + addresses.cluster());
      while (System.in.read() >= 0) {
        // nothing is ever written to it; the read returns when the driver is gone
      }
    }
  }
}
