package io.ringfence.cli;

import io.ringfence.config.ConfigException;
import io.ringfence.config.LoadedNode;
import io.ringfence.config.NodeFile;
import io.ringfence.config.NodeFlag;
import io.ringfence.embed.RingfenceNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs a node until it is told to stop.
 *
 * <p>Standard output carries the ready line, and for the built-in demo what to try next; everything
 * else is logged to standard error. On SIGTERM the node stops as {@link RingfenceNode#close} says
 * and the process ends with 0.
 */
@Command(
    name = "node",
    description = "Run a node. Without --config and flags: one node on loopback, with demo rules.",
    mixinStandardHelpOptions = true)
final class NodeCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(NodeCommand.class);
  private static final Duration READY_LOOK = Duration.ofSeconds(10);

  private final Terminal terminal;

  @Option(names = "--config", paramLabel = "FILE", description = "the node file")
  private @Nullable Path config;

  @Option(names = "--name", paramLabel = "NAME", description = "this node's name")
  private @Nullable String name;

  @Option(names = "--http", paramLabel = "HOST:PORT", description = "the HTTP API; port 0: any")
  private @Nullable String http;

  @Option(names = "--admin", paramLabel = "HOST:PORT", description = "the admin calls")
  private @Nullable String admin;

  @Option(names = "--grpc", paramLabel = "HOST:PORT", description = "Envoy's rate limit service")
  private @Nullable String grpc;

  @Option(names = "--peer", paramLabel = "HOST:PORT", description = "the protocol between nodes")
  private @Nullable String peer;

  @Option(names = "--cluster", paramLabel = "HOST:PORT", description = "this node's Hazelcast")
  private @Nullable String cluster;

  @Option(
      names = "--join",
      paramLabel = "HOST:PORT,...",
      description = "Hazelcast addresses of nodes that may be there already")
  private @Nullable String join;

  @Option(names = "--rules", paramLabel = "FILE", description = "the rules file")
  private @Nullable String rules;

  @Option(names = "--data", paramLabel = "DIR", description = "the data directory")
  private @Nullable String data;

  @Option(names = "--secret-file", paramLabel = "FILE", description = "the cluster's secret")
  private @Nullable String secretFile;

  NodeCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    AtomicReference<@Nullable RingfenceNode> running = new AtomicReference<>();
    Thread onTermination = new Thread(() -> stop(running.get()), "ringfence-stop");
    Runtime.getRuntime().addShutdownHook(onTermination);
    RingfenceNode node;
    try {
      LoadedNode loaded = NodeFile.load(config, flags(), System.getenv(NodeFile.SECRET_VARIABLE));
      loaded.warnings().forEach(LOG::warn);
      node = RingfenceNode.start(loaded.config());
    } catch (IOException | UncheckedIOException e) {
      Runtime.getRuntime().removeShutdownHook(onTermination);
      terminal.complain("ringfence: " + e.getMessage());
      return ExitCode.UNKNOWN;
    } catch (ConfigException e) {
      Runtime.getRuntime().removeShutdownHook(onTermination);
      e.problems().forEach(problem -> terminal.complain("ringfence: " + problem));
      return ExitCode.UNKNOWN;
    } catch (RuntimeException e) {
      Runtime.getRuntime().removeShutdownHook(onTermination);
      throw e;
    }
    running.set(node);
    while (!node.awaitReady(READY_LOOK)) {
      LOG.warn("not ready: {}", String.join("; ", node.reasonsAgainstReady()));
    }
    print(node);
    new CountDownLatch(1).await(); // until the process is told to stop
    return 0;
  }

  /** The flags that were given. */
  private Map<NodeFlag, String> flags() {
    Map<NodeFlag, String> given = new EnumMap<>(NodeFlag.class);
    put(given, NodeFlag.NAME, name);
    put(given, NodeFlag.HTTP, http);
    put(given, NodeFlag.ADMIN, admin);
    put(given, NodeFlag.GRPC, grpc);
    put(given, NodeFlag.PEER, peer);
    put(given, NodeFlag.CLUSTER, cluster);
    put(given, NodeFlag.JOIN, join);
    put(given, NodeFlag.RULES, rules);
    put(given, NodeFlag.DATA, data);
    put(given, NodeFlag.SECRET_FILE, secretFile);
    return given;
  }

  private static void put(Map<NodeFlag, String> given, NodeFlag flag, @Nullable String value) {
    if (value != null) {
      given.put(flag, value);
    }
  }

  private void print(RingfenceNode node) {
    RingfenceNode.Addresses at = node.addresses();
    StringBuilder line = new StringBuilder("ringfence ready name=").append(node.name());
    line.append(" http=").append(at.http());
    if (at.peer() != null) {
      line.append(" peer=").append(at.peer());
    }
    if (at.cluster() != null) {
      line.append(" cluster=").append(at.cluster());
    }
    PrintWriter out = terminal.out();
    out.println(line);
    if (config == null && rules == null) {
      NextSteps.print(out, at.http());
    }
    terminal.flush();
  }

  /**
   * Stops the node and ends the process with 0: without that a JVM that was told to terminate ends
   * with 143.
   */
  private static void stop(@Nullable RingfenceNode node) {
    if (node != null) {
      node.close();
    }
    Runtime.getRuntime().halt(0);
  }
}
