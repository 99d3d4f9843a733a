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
import java.util.ArrayList;
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
 * <p>HTTP: three nodes in three processes; the driver measures how many checks a second sixty
 * connections get out of them, then has the other keys make a fifth of that, with and without a
 * greedy key that makes three tenths. In process: a fourth node in the driver's own JVM, as in a
 * gateway; the greedy key makes 50,000 checks a second there, once as a key that another node owns
 * (whose denials are remembered here) and once as one that this node owns. Driver and nodes share
 * the machine.
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
  private static final int WARM_UP_SPANS = 3;
  private static final double OTHERS_SHARE = 0.2;
  private static final double GREEDY_SHARE = 0.3;

  private GreedyRun() {}

  /**
   * How much of it.
   *
   * @param embeddedPerSecond checks of the greedy key in process
   * @param othersPerSecond checks of the other keys in process
   */
  record Size(Length length, double embeddedPerSecond, double othersPerSecond) {}

  /** Seconds of a span and number of rounds, 5 and 4 by default. */
  public static void main(String[] args) throws IOException, ConfigException, InterruptedException {
    int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 5;
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 4;
    System.out.println(Neighbours.header());
    run(new Size(new Length(seconds, rounds), 50_000, 5_000), row -> System.out.println(row.row()));
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
      shown.accept(http(List.of(n1.http(), n2.http(), n3.http()), size.length()));
      try (RingfenceNode here =
          RingfenceNode.start(Demo.node(dir, "here", cluster, n1.cluster()))) {
        require(here.awaitReady(Duration.ofSeconds(60)), "the driver's node is not ready");
        shown.accept(embedded("in process, its owner elsewhere", here, greedy(here, false), size));
        shown.accept(embedded("in process, owned here", here, greedy(here, true), size));
        shown.accept(standing("in process, owned here, a standing check", here, size));
      }
    }
  }

  private static Neighbours http(List<String> nodes, Length length)
      throws IOException, InterruptedException {
    List<HttpLane> lanes = new ArrayList<>();
    try {
      for (int i = 0; i < 2 * CONNECTIONS; i++) {
        lanes.add(new HttpLane(nodes.get(i % nodes.size())));
      }
      Paced.Call others =
          (thread, number, ended) -> {
            int status = lanes.get(thread).check("client-" + number % KEYS, "free");
            require(status == 200, "status " + status + " for a key below its limit");
            ended.run();
          };
      AtomicLong denied = new AtomicLong();
      Paced.Call greedy =
          (thread, number, ended) -> {
            if (lanes.get(CONNECTIONS + thread).check("greedy", TIGHT) == 429) {
              denied.incrementAndGet();
            }
            ended.run();
          };
      double capacity = capacity(others, length);
      System.err.printf(
          Locale.ROOT, "capacity: %,.0f checks/s of %d connections%n", capacity, CONNECTIONS);
      Neighbours row =
          Neighbours.measure(
              "HTTP",
              new Lane(capacity * OTHERS_SHARE, CONNECTIONS, others),
              new Lane(capacity * GREEDY_SHARE, CONNECTIONS, greedy),
              length);
      require(denied.get() > 0, "the greedy key was never denied");
      return row;
    } finally {
      for (HttpLane lane : lanes) {
        lane.close();
      }
    }
  }

  /** What sixty connections get done that never wait, after some spans that warm up. */
  private static double capacity(Paced.Call call, Length length) throws InterruptedException {
    double perSecond = 0;
    for (int span = 0; span <= WARM_UP_SPANS; span++) {
      perSecond =
          Paced.start(Paced.AS_FAST_AS_IT_GOES, CONNECTIONS, Paced.histogram(), call)
              .runFor(length.spanNanos());
    }
    return perSecond;
  }

  private static Neighbours embedded(String what, RingfenceNode here, Check greedy, Size size)
      throws InterruptedException {
    Limiter limiter = here.limiter();
    AtomicLong denied = new AtomicLong();
    Paced.Call call =
        (thread, number, ended) ->
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
    Paced.Call call =
        (thread, number, ended) -> {
          denied.addAndGet(here.embedded().tryAcquire(standing) ? 0 : 1);
          ended.run();
        };
    return inProcess(what, here.limiter(), call, size, denied);
  }

  private static Neighbours inProcess(
      String what, Limiter limiter, Paced.Call greedy, Size size, AtomicLong denied)
      throws InterruptedException {
    Check[] checks =
        IntStream.range(0, KEYS)
            .mapToObj(i -> new Check(Request.of("client-" + i), 1))
            .toArray(Check[]::new);
    Paced.Call others =
        (thread, number, ended) ->
            limiter.check(checks[(int) (number % KEYS)], verdict -> ended.run());
    Neighbours row =
        Neighbours.measure(
            what,
            new Lane(size.othersPerSecond(), 1, others),
            new Lane(size.embeddedPerSecond(), 1, greedy),
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
