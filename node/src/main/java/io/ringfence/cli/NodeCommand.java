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
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/**
 * Runs a node until it is told to stop.
 *
 * <p>Standard output carries the ready line, and for the built-in demo what to try next; everything
 * else is logged to standard error. On SIGTERM the node stops as {@link RingfenceNode#close} says
 * and the process ends with 0, at the latest {@code shutdown.drain} and 0.8 s later.
 */
@Command(
    name = "node",
    description = "Run a node. Without --config and flags: one node on loopback, with demo rules.",
    mixinStandardHelpOptions = true)
final class NodeCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(NodeCommand.class);
  private static final Duration READY_LOOK = Duration.ofSeconds(10);

  /** What closing may take beyond shutdown.drain. */
  private static final Duration CLOSING = Duration.ofMillis(800);

  private final Terminal terminal;

  @Option(names = "--config", paramLabel = "FILE", description = "the node file")
  private @Nullable Path config;

  @Spec private @Nullable CommandSpec spec; // set by picocli before anything is asked of it

  private NodeCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /** The command with a flag for each {@link NodeFlag}. */
  static CommandLine line(Terminal terminal) {
    CommandLine line = new CommandLine(new NodeCommand(terminal));
    for (NodeFlag flag : NodeFlag.values()) {
      line.getCommandSpec()
          .addOption(
              OptionSpec.builder(flag.flag())
                  .type(String.class)
                  .paramLabel(flag.value())
                  .description(flag.description())
                  .build());
    }
    return line;
  }

  @Override
  public Integer call() throws InterruptedException {
    AtomicReference<@Nullable Running> running = new AtomicReference<>();
    Thread onTermination = new Thread(() -> stop(running.get()), "ringfence-stop");
    Runtime.getRuntime().addShutdownHook(onTermination);
    Map<NodeFlag, String> flags = flags();
    RingfenceNode node;
    Duration drain;
    try {
      LoadedNode loaded = NodeFile.load(config, flags, System.getenv(NodeFile.SECRET_VARIABLE));
      loaded.warnings().forEach(LOG::warn);
      node = RingfenceNode.start(loaded.config());
      drain = loaded.config().serving().drain();
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
    running.set(new Running(node, drain));
    while (!node.awaitReady(READY_LOOK)) {
      LOG.warn("not ready: {}", String.join("; ", node.reasonsAgainstReady()));
    }
    print(node, config == null && !flags.containsKey(NodeFlag.RULES));
    new CountDownLatch(1).await(); // until the process is told to stop
    return 0;
  }

  /** The flags that were given. */
  private Map<NodeFlag, String> flags() {
    Map<NodeFlag, String> given = new EnumMap<>(NodeFlag.class);
    ParseResult parsed = Objects.requireNonNull(spec).commandLine().getParseResult();
    for (NodeFlag flag : NodeFlag.values()) {
      if (parsed.hasMatchedOption(flag.flag())) {
        given.put(flag, parsed.matchedOptionValue(flag.flag(), ""));
      }
    }
    return given;
  }

  private void print(RingfenceNode node, boolean demo) {
    RingfenceNode.Addresses at = node.addresses();
    StringBuilder line = new StringBuilder("ringfence ready name=").append(node.name());
    line.append(" http=").append(at.http());
    if (at.admin() != null) {
      line.append(" admin=").append(at.admin());
    }
    if (at.peer() != null) {
      line.append(" peer=").append(at.peer());
    }
    if (at.cluster() != null) {
      line.append(" cluster=").append(at.cluster());
    }
    PrintWriter out = terminal.out();
    out.println(line);
    if (demo) {
      NextSteps.print(out, at.http());
    }
    terminal.flush();
  }

  /** A node that runs, and how long it may take to finish its calls. */
  private record Running(RingfenceNode node, Duration drain) {}

  /**
   * Stops the node and ends the process with 0: without that a JVM that was told to terminate ends
   * with 143. It ends in time whatever the node's parts take to close.
   */
  private static void stop(@Nullable Running running) {
    if (running != null) {
      Thread closing = new Thread(running.node()::close, "ringfence-close");
      closing.setDaemon(true);
      closing.start();
      try {
        closing.join(running.drain().plus(CLOSING).toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      if (closing.isAlive()) {
        LOG.warn("ends although not everything has closed");
      }
    }
    Runtime.getRuntime().halt(0);
  }
}
