package io.ringfence.benchmarks;

import io.ringfence.benchmarks.Neighbours.Lane;
import io.ringfence.benchmarks.Neighbours.Length;
import io.ringfence.config.ConfigException;
import io.ringfence.embed.RingfenceNode;
import io.ringfence.engine.Check;
import io.ringfence.engine.Limiter;
import io.ringfence.engine.StandingCheck;
import io.ringfence.rules.Request;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * One key that asks far beyond its limit, beside ten thousand that stay below theirs: does it hurt
 * them? Prints a table in Markdown.
 *
 * <p>HTTP: three nodes in three processes, warmed up with both; the driver measures how many checks
 * a second sixty connections get out of them, then has the other keys make a fifth of that, with
 * and without a greedy key that makes three tenths. A second row has ordinary keys in its place, to
 * tell what is due to its greed and what to the load. In process: a fourth node in the driver's own
 * JVM, as in a gateway; the greedy key makes 50,000 checks a second there, once as a key that
 * another node owns (whose denials are remembered here) and once as one that this node owns. Driver
 * and nodes share the machine.
 */
public final class GreedyRun {
  private static final String RULES =
      """
      rules:
        - {name: wide, by: client, algorithm: token-bucket, limit: 1000000000, window: 1s}
        - {name: tight, match: {tier: tight}, by: client, algorithm: token-bucket, limit: 10,
           window: 1s}
      """;
  private static final String TIGHT = "tight";
  private static final int KEYS = 10_000;
  private static final int CONNECTIONS = 60;
  private static final long WARM_UP_CHECKS = 600_000; // after which the capacity rises no more
  private static final double OTHERS_SHARE = 0.2;
  private static final double GREEDY_SHARE = 0.3;

  private GreedyRun() {}

  /**
   * How much of it.
   *
   * @param embeddedPerSecond checks of the greedy key in process
   * @param othersPerSecond checks of the other keys in process
   * @param warmUpChecks made over HTTP before anything is measured
   */
  record Size(Length length, double embeddedPerSecond, double othersPerSecond, long warmUpChecks) {}

  /** Seconds of a span and number of rounds, 5 and 4 by default. */
  public static void main(String[] args) throws IOException, ConfigException, InterruptedException {
    int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 5;
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 4;
    System.out.println(Neighbours.header());
    run(
        new Size(new Length(seconds, rounds), 50_000, 5_000, WARM_UP_CHECKS),
        row -> System.out.println(row.row()));
  }

  /** Measures row by row, and shows each as soon as it is there. */
  static void run(Size size, Consumer<Neighbours> shown)
      throws IOException, ConfigException, InterruptedException {
    Path dir = Files.createTempDirectory("ringfence-greedy");
    Files.writeString(dir.resolve("rules.yaml"), RULES);
    String cluster = "greedy-" + ProcessHandle.current().pid();
    try (ChildNode n1 = ChildNode.start(dir, "n1", cluster, "");
        ChildNode n2 = ChildNode.start(dir, "n2", cluster, n1.cluster());
        ChildNode n3 = ChildNode.start(dir, "n3", cluster, n1.cluster())) {
      http(List.of(n1.http(), n2.http(), n3.http()), size, shown);
      try (RingfenceNode here =
          RingfenceNode.start(Demo.node(dir, "here", cluster, n1.cluster()))) {
        require(here.awaitReady(Duration.ofMinutes(3)), "the driver's node is not ready");
        shown.accept(embedded("in process, its owner elsewhere", here, greedy(here, false), size));
        shown.accept(embedded("in process, owned here", here, greedy(here, true), size));
        shown.accept(standing("in process, owned here, a standing check", here, size));
      }
    }
  }

  private static void http(List<String> nodes, Size size, Consumer<Neighbours> shown)
      throws InterruptedException {
    AtomicLong wrong = new AtomicLong();
    AtomicLong denied = new AtomicLong();
    try (HttpConnections first = HttpConnections.open(nodes, CONNECTIONS)) {
      Lanes.Call others = (number, ended) -> ordinary(first, number, wrong, ended);
      Lanes.Call both =
          (number, ended) -> {
            if (number % 2 == 0) {
              ordinary(first, number, wrong, ended);
            } else {
              greedy(first, number, denied, wrong, ended);
            }
          };
      Lanes.run("warm-up", CONNECTIONS, size.warmUpChecks(), both);
      double capacity =
          Lanes.run("capacity", CONNECTIONS, size.warmUpChecks() / 4, others).perSecond();
      System.err.printf(
          Locale.ROOT, "capacity: %,.0f checks/s of %d connections%n", capacity, CONNECTIONS);
      Lane otherKeys = new Lane(capacity * OTHERS_SHARE, others);
      double besidePerSecond = capacity * GREEDY_SHARE;
      try (HttpConnections second = HttpConnections.open(nodes, CONNECTIONS)) {
        Lanes.Call greedy = (number, ended) -> greedy(second, number, denied, wrong, ended);
        Lane beside = new Lane(besidePerSecond, greedy);
        shown.accept(Neighbours.measure("HTTP", otherKeys, beside, size.length()));
      }
      try (HttpConnections second = HttpConnections.open(nodes, CONNECTIONS)) {
        Lanes.Call more = (number, ended) -> ordinary(second, number, wrong, ended);
        Lane beside = new Lane(besidePerSecond, more);
        shown.accept(
            Neighbours.measure("HTTP, ordinary keys beside", otherKeys, beside, size.length()));
      }
    }
    require(wrong.get() == 0, wrong + " checks had an answer that they should not have");
    require(denied.get() > 0, "the greedy key was never denied");
  }

  private static void greedy(
      HttpConnections connections,
      long number,
      AtomicLong denied,
      AtomicLong wrong,
      Runnable ended) {
    connections.check(
        number,
        HttpConnections.body("greedy", TIGHT),
        status -> {
          denied.addAndGet(status == 429 ? 1 : 0);
          wrong.addAndGet(status == 429 || status == 200 ? 0 : 1);
          ended.run();
        });
  }

  private static void ordinary(
      HttpConnections connections, long number, AtomicLong wrong, Runnable ended) {
    connections.check(
        number,
        HttpConnections.body("client-" + number % KEYS, "free"),
        status -> {
          wrong.addAndGet(status == 200 ? 0 : 1);
          ended.run();
        });
  }

  private static Neighbours embedded(String what, RingfenceNode here, Check greedy, Size size)
      throws InterruptedException {
    Limiter limiter = here.limiter();
    AtomicLong denied = new AtomicLong();
    Lanes.Call call =
        (number, ended) ->
            limiter.check(
                greedy,
                verdict -> {
                  denied.addAndGet(verdict.allowed() ? 0 : 1);
                  ended.run();
                });
    return inProcess(what, limiter, call, size, denied);
  }

  private static Neighbours standing(String what, RingfenceNode here, Size size)
      throws InterruptedException {
    StandingCheck standing = here.embedded().standing(greedy(here, true));
    AtomicLong denied = new AtomicLong();
    Lanes.Call call =
        (number, ended) -> {
          denied.addAndGet(here.embedded().tryAcquire(standing) ? 0 : 1);
          ended.run();
        };
    return inProcess(what, here.limiter(), call, size, denied);
  }

  private static Neighbours inProcess(
      String what, Limiter limiter, Lanes.Call greedy, Size size, AtomicLong denied)
      throws InterruptedException {
    Check[] checks =
        IntStream.range(0, KEYS)
            .mapToObj(i -> new Check(Request.of("client-" + i), 1))
            .toArray(Check[]::new);
    Lanes.Call others =
        (number, ended) -> limiter.check(checks[(int) (number % KEYS)], verdict -> ended.run());
    Neighbours row =
        Neighbours.measure(
            what,
            new Lane(size.othersPerSecond(), others),
            new Lane(size.embeddedPerSecond(), greedy),
            size.length());
    require(denied.get() > 0, "the greedy key was never denied");
    return row;
  }

  /** A check of a key with the tight limit that the driver's node owns, or does not. */
  private static Check greedy(RingfenceNode here, boolean own) {
    for (int i = 0; ; i++) {
      Request request = new Request("greedy-" + i, null, null, TIGHT, Map.of());
      if (own == here.name().equals(here.limiter().place(request).owner())) {
        return new Check(request, 1);
      }
    }
  }

  private static void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new IllegalStateException(otherwise);
    }
  }
}
