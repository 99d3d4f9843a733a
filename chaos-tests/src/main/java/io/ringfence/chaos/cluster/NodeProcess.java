package io.ringfence.chaos.cluster;

import io.ringfence.chaos.wire.Answer;
import io.ringfence.chaos.wire.Call;
import io.ringfence.chaos.wire.CheckAnswer;
import io.ringfence.chaos.wire.CheckRequest;
import io.ringfence.chaos.wire.HttpConnection;
import io.ringfence.chaos.wire.MachineClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One node as a process. What it prints goes to files in its home, {@code NAME-RUN.out} and {@code
 * NAME-RUN.err}, where a failed test's reader finds it; its last lines are part of every failure's
 * message.
 *
 * <p>The process never outlives this one: {@link #close} kills it, and so does a shutdown hook
 * where nobody closes. A frozen process can be killed too.
 *
 * <p>For one thread, but for what the operating system does with the process meanwhile.
 */
public final class NodeProcess implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(10);
  private static final Duration CALL_PATIENCE = Duration.ofSeconds(15);
  private static final int TAIL_LINES = 15;

  private final String name;
  private final Process process;
  private final Path out;
  private final Path err;
  private final long startedNanos;
  private final Thread killAtExit;
  private boolean frozen;
  private @Nullable ReadyLine ready; // from awaitReady on
  private @Nullable Duration becameReadyAfter; // likewise

  private NodeProcess(String name, Process process, Path out, Path err) {
    this.name = name;
    this.process = process;
    this.out = out;
    this.err = err;
    this.startedNanos = MachineClock.nanos();
    this.killAtExit = new Thread(process::destroyForcibly, "kill-" + name);
    Runtime.getRuntime().addShutdownHook(killAtExit);
  }

  /**
   * Starts a node and does not wait for it.
   *
   * @param name for its files and for messages
   * @param arguments everything after the launcher's words
   * @param home where it runs and where its files go; is there already
   */
  public static NodeProcess start(
      Launcher launcher, String name, List<String> arguments, Path home) {
    List<String> command = new ArrayList<>(launcher.command());
    command.addAll(arguments);
    try {
      Path out = Files.createTempFile(home, name + "-", ".out");
      Path err = out.resolveSibling(out.getFileName().toString().replace(".out", ".err"));
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(home.toFile())
              .redirectOutput(out.toFile())
              .redirectError(err.toFile());
      builder.environment().remove("RINGFENCE_SECRET");
      return new NodeProcess(name, builder.start(), out, err);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + command, e);
    }
  }

  /** The name that it was started under. */
  public String name() {
    return name;
  }

  /** Where it answers HTTP; only once it is ready, as are the two others. */
  public InetSocketAddress http() {
    return readyLine().address("http");
  }

  /** Where its peers reach it. */
  public InetSocketAddress peer() {
    return readyLine().address("peer");
  }

  /** Where its Hazelcast member listens. */
  public InetSocketAddress cluster() {
    return readyLine().address("cluster");
  }

  /** How long it took from the start of the process to the ready line, to within 10 ms. */
  public Duration becameReadyAfter() {
    Duration after = becameReadyAfter;
    if (after == null) {
      throw new IllegalStateException(name + " was not awaited");
    }
    return after;
  }

  private ReadyLine readyLine() {
    ReadyLine line = ready;
    if (line == null) {
      throw new IllegalStateException(name + " was not awaited");
    }
    return line;
  }

  /**
   * Waits for the ready line.
   *
   * @throws IllegalStateException when the process ends first or the time is up, with its last
   *     words
   */
  public void awaitReady(Duration patience) {
    try {
      Awaitility.await("the ready line of " + name)
          .atMost(patience)
          .pollDelay(Duration.ZERO)
          .pollInterval(POLL)
          .until(() -> printedReadyLine().isPresent() || !process.isAlive());
    } catch (ConditionTimeoutException e) {
      throw new IllegalStateException(name + " not ready in " + patience + logTail(), e);
    }
    becameReadyAfter = Duration.ofNanos(MachineClock.nanos() - startedNanos);
    ready =
        printedReadyLine()
            .map(ReadyLine::parse)
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        name
                            + " ended with "
                            + process.exitValue()
                            + " before it was ready"
                            + logTail()));
  }

  /** Whether it has printed the ready line so far. */
  public boolean hasPrintedReadyLine() {
    return printedReadyLine().isPresent();
  }

  private Optional<String> printedReadyLine() {
    // A line counts once its end is there.
    String text = read(out);
    return text.substring(0, text.lastIndexOf('\n') + 1).lines().filter(ReadyLine::is).findFirst();
  }

  /** kill -9: no cleaning up, no goodbye. Returns once the process is gone. */
  public void kill() {
    process.destroyForcibly();
    awaitExit(Duration.ofSeconds(30));
  }

  /** SIGSTOP: the process stands still; its sockets stay open. */
  public void freeze() {
    signal("STOP");
    frozen = true;
  }

  /** SIGCONT: it goes on as if nothing had happened. */
  public void thaw() {
    signal("CONT");
    frozen = false;
  }

  /** SIGTERM: the polite request to leave. */
  public void terminate() {
    signal("TERM");
  }

  private void signal(String signal) {
    try {
      int code = new ProcessBuilder("kill", "-" + signal, "" + process.pid()).start().waitFor();
      if (code != 0) {
        throw new IllegalStateException("kill -" + signal + " of " + name + " gave " + code);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /**
   * Waits for its end.
   *
   * @return its exit code
   * @throws IllegalStateException when it still runs after that time
   */
  public int awaitExit(Duration patience) {
    try {
      if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException(name + " still runs after " + patience + logTail());
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Whether the process is there, frozen or not. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Whether it can answer: there, and not frozen. */
  boolean canAnswer() {
    return process.isAlive() && !frozen && ready != null;
  }

  /** One call over HTTP, on a connection of its own. */
  public Answer call(Call call) {
    try {
      return HttpConnection.once(http(), call, CALL_PATIENCE);
    } catch (IOException e) {
      throw new UncheckedIOException(name + ": " + e + logTail(), e);
    }
  }

  /** One check. */
  public CheckAnswer check(CheckRequest request) {
    return CheckAnswer.of(call(request.check()));
  }

  /** One look that charges nothing. */
  public CheckAnswer peek(CheckRequest request) {
    return CheckAnswer.ofPeek(call(request.peek()));
  }

  /** What the node says of the cluster. */
  public ClusterPage clusterPage() {
    return ClusterPage.of(call(Call.get("/v1/cluster")));
  }

  /**
   * The memory that it has in use, of all kinds, as the system counts it (VmRSS).
   *
   * @throws IllegalStateException where the system does not tell
   */
  public long residentBytes() {
    return read(Path.of("/proc", "" + process.pid(), "status"))
        .lines()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no VmRSS of " + name));
  }

  /**
   * One sample of its metrics.
   *
   * @param sample the name, with the labels as the page has them
   * @throws IllegalStateException where the page has no such sample
   */
  public double metric(String sample) {
    String start = sample + " ";
    String page = call(Call.get("/metrics")).body();
    return page.lines()
        .filter(line -> line.startsWith(start))
        .mapToDouble(line -> Double.parseDouble(line.substring(start.length()).strip()))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no " + sample + " at " + name));
  }

  /** What it takes, after a collection that this call makes it do. */
  public ProcessMemory memory() {
    try {
      return new ProcessMemory(LiveObjects.bytesOf(process.pid()), residentBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Everything that it printed as errors and log. */
  public String log() {
    return read(err);
  }

  /** Its last lines, for a message. */
  String logTail() {
    List<String> lines = (read(out) + log()).lines().toList();
    List<String> last = lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size());
    return "\n  | " + String.join("\n  | ", last) + "\n  (all of it: " + err + ")";
  }

  private static String read(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Kills it if it is still there. */
  @Override
  public void close() {
    kill();
    try {
      Runtime.getRuntime().removeShutdownHook(killAtExit);
    } catch (IllegalStateException exiting) {
      // The hook is about to run, and finds nothing to do.
    }
  }
}
