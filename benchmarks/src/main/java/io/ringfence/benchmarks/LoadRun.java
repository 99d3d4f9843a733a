package io.ringfence.benchmarks;

import io.ringfence.config.ConfigException;
import io.ringfence.embed.RingfenceNode;
import io.ringfence.engine.Certainty;
import io.ringfence.engine.Check;
import io.ringfence.engine.Limiter;
import io.ringfence.membership.Address;
import io.ringfence.rules.Request;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Drives checks over one hop and over HTTP, and prints a table in Markdown.
 *
 * <p>Two nodes in two processes on this machine: one in the driver's, one of its own. One hop: the
 * driver asks its own node for keys that the other owns. HTTP: the driver asks the other process
 * for keys that it owns, over as many connections as checks are in flight. Driver and nodes share
 * the machine.
 */
public final class LoadRun {
  private static final int KEYS = 10_000;
  private static final int[] IN_FLIGHT = {1, 32, 256};

  private LoadRun() {}

  /** The number of checks per row, 200,000 by default. */
  public static void main(String[] args) throws IOException, ConfigException, InterruptedException {
    long checks = args.length == 0 ? 200_000 : Long.parseLong(args[0]);
    System.out.println(Measured.header());
    for (Measured measured : run(checks)) {
      System.out.println(measured.row());
    }
  }

  static List<Measured> run(long checks) throws IOException, ConfigException, InterruptedException {
    Path dir = Files.createTempDirectory("ringfence-load");
    String cluster = "load-" + ProcessHandle.current().pid();
    List<Measured> rows = new ArrayList<>();
    try (RingfenceNode here = RingfenceNode.start(Demo.node(dir, "here", cluster, ""))) {
      require(here.awaitReady(Duration.ofMinutes(3)), "the driver's node is not ready");
      Address seed = here.addresses().cluster();
      require(seed != null, "the driver's node has no cluster address");
      try (ChildNode there = ChildNode.start(dir, "there", cluster, String.valueOf(seed))) {
        Check[] owned = checksOwnedBy("there", here.limiter());
        for (int inFlight : IN_FLIGHT) {
          rows.add(oneHop(here.limiter(), owned, inFlight, checks));
        }
        for (int inFlight : IN_FLIGHT) {
          rows.add(http(there.http(), owned, inFlight, checks));
        }
      }
    }
    return rows;
  }

  private static Check[] checksOwnedBy(String owner, Limiter limiter) throws InterruptedException {
    List<Check> owned = new ArrayList<>(KEYS);
    for (long i = 0; owned.size() < KEYS; i++) {
      require(i < 1_000L * KEYS, "no keys of " + owner + " found");
      Request request = Request.of("client-" + i);
      if (owner.equals(limiter.place(request).owner())) {
        owned.add(new Check(request, 1));
      }
    }
    // The first calls find the connection just made; they are not measured.
    Lanes.run(
        "warm-up", 32, 50_000, (n, ended) -> ask(limiter, owned.get((int) (n % KEYS)), ended));
    return owned.toArray(Check[]::new);
  }

  private static void ask(Limiter limiter, Check check, Runnable ended) {
    limiter.check(check, verdict -> ended.run());
  }

  private static Measured oneHop(Limiter limiter, Check[] owned, int inFlight, long checks)
      throws InterruptedException {
    AtomicLong notExact = new AtomicLong();
    Measured measured =
        Lanes.run(
            "one hop",
            inFlight,
            checks,
            (number, ended) ->
                limiter.check(
                    owned[(int) (number % owned.length)],
                    verdict -> {
                      boolean answered = verdict.certainty().code() <= Certainty.ASSUMED.code();
                      if (!answered) {
                        notExact.incrementAndGet();
                      }
                      ended.run();
                    }));
    require(notExact.get() == 0, notExact + " checks were answered by a failure policy");
    return measured;
  }

  private static Measured http(String address, Check[] owned, int inFlight, long checks)
      throws InterruptedException {
    String[] bodies =
        Stream.of(owned)
            .map(check -> HttpConnections.body(String.valueOf(check.request().client())))
            .toArray(String[]::new);
    AtomicLong refused = new AtomicLong();
    try (HttpConnections connections = HttpConnections.open(List.of(address), inFlight)) {
      Measured measured =
          Lanes.run(
              "HTTP",
              inFlight,
              checks,
              (number, ended) ->
                  connections.check(
                      number,
                      bodies[(int) (number % bodies.length)],
                      status -> {
                        refused.addAndGet(status == 200 ? 0 : 1);
                        ended.run();
                      }));
      require(refused.get() == 0, refused + " checks were not answered with 200");
      return measured;
    }
  }

  private static void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new IllegalStateException(otherwise);
    }
  }
}
