package io.ringfence.embed;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.ringfence.config.ConfigException;
import io.ringfence.engine.Certainty;
import io.ringfence.engine.Check;
import io.ringfence.engine.Limiter;
import io.ringfence.engine.StandingCheck;
import io.ringfence.engine.Verdict;
import io.ringfence.metrics.NodeMeters;
import io.ringfence.rules.Request;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Nodes as other programs run them inside their own JVM. */
class EmbeddingTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String THREE =
      "rules: [{name: api, by: client, algorithm: fixed-window, limit: 3, window: 1h}]";

  private static Check of(String client) {
    return new Check(Request.of(client), 1);
  }

  @Test
  void aFewLinesStartANodeAndEveryKindOfCallCountsOnOneCounter() throws Exception {
    try (RingfenceNode node = RingfenceNode.builder().name("gw").rules(THREE).start()) {
      assertTrue(node.awaitReady(PATIENCE));
      EmbeddedLimiter limiter = node.embedded();
      StandingCheck standing = limiter.standing(of("cust_42"));
      assertTrue(limiter.tryAcquire("cust_42"));
      assertTrue(limiter.tryAcquire(standing));
      CompletableFuture<Verdict> third = limiter.checkAsync(of("cust_42")).toCompletableFuture();
      assertTrue(third.isDone(), "owned here: answered on this thread");
      assertTrue(third.join().allowed());
      assertFalse(limiter.tryAcquire(standing));
      Verdict denied = limiter.check(of("cust_42"));
      assertFalse(denied.allowed());
      assertEquals(Certainty.EXACT, denied.certainty());
    }
  }

  @Test
  void aLeakingBucketLetsRequestsOutInTurnWithoutHoldingAThread() throws Exception {
    String paced =
        "rules: [{name: api, by: client, algorithm: leaking-bucket, limit: 10, window: 1s, burst:"
            + " 5}]";
    try (RingfenceNode node = RingfenceNode.builder().rules(paced).start()) {
      assertTrue(node.awaitReady(PATIENCE));
      CompletableFuture<Verdict> first = node.embedded().checkInTurn(of("c")).toCompletableFuture();
      CompletableFuture<Verdict> second =
          node.embedded().checkInTurn(of("c")).toCompletableFuture();
      assertTrue(first.isDone());
      assertFalse(second.isDone(), "it has to wait a tenth of a second");
      await("its turn").atMost(PATIENCE).until(second::isDone);
      assertTrue(second.join().allowed());
    }
  }

  @Test
  void twoNodesInOneJvmShareARegistryAndLeaveNothingInIt() throws Exception {
    SimpleMeterRegistry host = new SimpleMeterRegistry();
    String cluster = "127.0.0.1:0";
    RingfenceNode first =
        RingfenceNode.builder()
            .name("a")
            .rules(THREE)
            .listen("127.0.0.1:0", cluster)
            .meters(NodeMeters.in(host))
            .start();
    try (RingfenceNode second =
        RingfenceNode.builder()
            .name("b")
            .rules(THREE)
            .listen("127.0.0.1:0", cluster)
            .join(String.valueOf(first.addresses().cluster()))
            .meters(NodeMeters.in(host))
            .start()) {
      await("one view of two")
          .atMost(PATIENCE)
          .until(
              () ->
                  first.limiter().cluster().members().size() == 2
                      && second.limiter().cluster().members().size() == 2);
      assertTrue(second.awaitReady(PATIENCE));
      for (int i = 0; i < 20; i++) {
        first.embedded().tryAcquire("k" + i);
        second.embedded().tryAcquire("k" + i);
      }
      for (String node : new String[] {"a", "b"}) {
        double checks =
            host.find("rate.limit.checks").tag("node", node).counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
        assertEquals(20, checks, node);
      }
    }
    first.close();
    assertEquals(0, host.getMeters().size(), () -> host.getMeters().toString());
    assertFalse(host.isClosed());
  }

  /** Takes every question and answers none, as if another node were asked that is slow. */
  private static Limiter silent() {
    return (Limiter)
        Proxy.newProxyInstance(
            Limiter.class.getClassLoader(),
            new Class<?>[] {Limiter.class},
            (proxy, method, arguments) -> null);
  }

  @Test
  void aThreadOfTheNodeIsToldNotToWait() throws Exception {
    EmbeddedLimiter never = new EmbeddedLimiter(silent(), (delay, task) -> {});
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread loop =
        new Thread(
            () -> {
              try {
                never.check(of("c"));
              } catch (IllegalStateException e) {
                thrown.set(e);
              }
            },
            EmbeddedLimiter.NODE_THREADS + "peer-1");
    loop.start();
    loop.join(PATIENCE.toMillis());
    assertTrue(thrown.get() instanceof IllegalStateException);
  }

  @Test
  void whatIsWrongIsNamed() {
    ConfigException rules =
        assertThrows(
            ConfigException.class,
            () -> RingfenceNode.builder().rules("rules: [{name: x, limitt: 3}]").start());
    assertTrue(rules.problems().toString().contains("limitt"), () -> rules.problems().toString());
    ConfigException address =
        assertThrows(
            ConfigException.class,
            () -> RingfenceNode.builder().rules(THREE).http("nowhere").start());
    assertTrue(
        address.problems().toString().contains("--http"), () -> address.problems().toString());
  }
}
