package io.ringfence.benchmarks;

import io.ringfence.config.ConfigException;
import io.ringfence.embed.RingfenceNode;
import io.ringfence.engine.Check;
import io.ringfence.engine.Verdict;
import io.ringfence.engine.VerdictListener;
import io.ringfence.rules.Request;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Checks of keys that this node owns, through the in-process API of a whole node. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class LocalCheckBenchmark {

  /** How many keys the checks are spread over. */
  @Param({"1", "100000"})
  int keys;

  private @Nullable RingfenceNode node;
  private Check[] checks = new Check[0];

  /** Takes the verdict on the calling thread. */
  private static final class Taken implements VerdictListener {
    private @Nullable Verdict verdict;

    @Override
    public void verdict(Verdict answer) {
      verdict = answer;
    }
  }

  /** A node alone. */
  @Setup
  public void start() throws IOException, ConfigException, InterruptedException {
    node = RingfenceNode.start(Demo.node(Files.createTempDirectory("local"), "n1", null, ""));
    if (!node.awaitReady(Duration.ofSeconds(30))) {
      throw new IllegalStateException("the node is not ready after 30 s");
    }
    checks = new Check[keys];
    for (int i = 0; i < keys; i++) {
      checks[i] = new Check(Request.of("client-" + i), 1);
    }
  }

  /** Stops it. */
  @TearDown
  public void stop() {
    if (node != null) {
      node.close();
    }
  }

  /** One check. */
  @Benchmark
  public @Nullable Verdict check() {
    Taken taken = new Taken();
    RingfenceNode running = node;
    if (running != null) {
      int key = keys == 1 ? 0 : ThreadLocalRandom.current().nextInt(keys);
      running.limiter().check(checks[key], taken);
    }
    return taken.verdict;
  }
}
