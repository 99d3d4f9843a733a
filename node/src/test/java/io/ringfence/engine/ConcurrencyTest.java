package io.ringfence.engine;

import static io.ringfence.engine.YamlRules.rules;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ringfence.rules.Request;
import io.ringfence.rules.RuleSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Many threads at one engine: nobody counts twice, and no two steps wait for each other. */
class ConcurrencyTest {
  private static final int THREADS = 8;

  private final ExecutorService threads = Executors.newFixedThreadPool(40);

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  private static Cluster one(RuleSet rules) {
    return Cluster.of(rules, "n1");
  }

  private static Verdict check(Cluster cluster, Request request) {
    CompletableFuture<Verdict> answer = new CompletableFuture<>();
    cluster.engine("n1").check(new Check(request, 1), answer::complete);
    return answer.join();
  }

  /** Runs so many tasks at the same moment, and returns what they returned. */
  private <T> List<T> atOnce(int tasks, IntFunction<T> task) throws Exception {
    CyclicBarrier start = new CyclicBarrier(tasks);
    List<Future<T>> running = new ArrayList<>();
    for (int i = 0; i < tasks; i++) {
      int number = i;
      running.add(
          threads.submit(
              () -> {
                start.await(60, TimeUnit.SECONDS);
                return task.apply(number);
              }));
    }
    List<T> results = new ArrayList<>();
    for (Future<T> future : running) {
      results.add(future.get(60, TimeUnit.SECONDS));
    }
    return results;
  }

  @Test
  void C09_fortyAtOnceAndTenPass() throws Exception {
    for (int round = 0; round < 50; round++) {
      Cluster cluster =
          one(rules("rules: [{name: fw, by: client, algorithm: fixed-window, rate: 10/minute}]"));
      List<Verdict> verdicts = atOnce(40, i -> check(cluster, Request.of("c")));
      TreeSet<Long> remaining = new TreeSet<>();
      for (Verdict verdict : verdicts) {
        if (verdict.allowed()) {
          remaining.add(verdict.limits().get(0).answer().remaining());
        }
      }
      assertEquals(10, verdicts.stream().filter(Verdict::allowed).count());
      assertEquals(10, remaining.size(), "each of 9..0 once");
    }
  }

  @Test
  void stepsOnSeveralCountersChargeAllOrNothingAndNeverDeadlock() throws Exception {
    Cluster cluster =
        one(
            rules(
                """
                rules:
                  - {name: client, by: client, algorithm: fixed-window, limit: 400, window: 1h}
                  - {name: address, by: ip, algorithm: fixed-window, limit: 300, window: 1h}
                  - {name: all, by: global, algorithm: fixed-window, limit: 1000, window: 1h}
                """));
    List<int[]> admitted =
        atOnce(
            THREADS,
            thread -> {
              int[] byPair = new int[9];
              for (int i = 0; i < 2_000; i++) {
                int pair = (i * 7 + thread) % 9;
                Request request =
                    new Request(
                        "c" + pair / 3, null, null, null, Map.of("ip", "10.0.0." + pair % 3));
                byPair[pair] += check(cluster, request).allowed() ? 1 : 0;
              }
              return byPair;
            });
    int[] byClient = new int[3];
    int[] byAddress = new int[3];
    int total = 0;
    for (int[] byPair : admitted) {
      for (int pair = 0; pair < 9; pair++) {
        byClient[pair / 3] += byPair[pair];
        byAddress[pair % 3] += byPair[pair];
        total += byPair[pair];
      }
    }
    assertEquals(900, total, "the addresses are what is spent first: 3 x 300");
    for (int i = 0; i < 3; i++) {
      assertEquals(300, byAddress[i]);
      Request client = Request.of("c" + i);
      assertEquals(
          400 - byClient[i], cluster.peek("n1", client, 1).limits().get(0).answer().remaining());
    }
  }

  @Test
  void aSweepBesideChecksLosesNoCharge() throws Exception {
    Cluster cluster =
        one(
            rules(
                "rules: [{name: tb, by: client, algorithm: token-bucket, limit: 5, window: 1h}]"));
    List<Integer> admitted =
        atOnce(
            THREADS,
            thread -> {
              int passed = 0;
              for (int i = 0; i < 3_000; i++) {
                passed += check(cluster, Request.of("key-" + i % 500)).allowed() ? 1 : 0;
                if (thread == 0 && i % 10 == 0) {
                  cluster.engine("n1").sweepOnce();
                }
              }
              return passed;
            });
    assertEquals(500 * 5, admitted.stream().mapToInt(Integer::intValue).sum());
  }
}
