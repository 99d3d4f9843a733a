package io.ringfence.http;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.ringfence.engine.VerdictListener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** A server's last calls, its close, its threads, and its life without epoll. */
class ServerLifeTest {
  private static final String CHECK = RawClient.post("/v1/check", "{\"key\":\"k\"}");

  @Test
  void withoutEpollItServesAllTheSame() throws IOException {
    EventLoops nio = EventLoops.nio();
    assertEquals(NioServerSocketChannel.class, nio.listener());
    try (ServerFixture server =
            new ServerFixture(nio, Premises.Totals.DEFAULT, HttpLimits.DEFAULT);
        RawClient client = server.connect()) {
      assertEquals(200, client.send(CHECK).read().status());
      client.send(CHECK.repeat(500));
      for (int i = 0; i < 500; i++) {
        assertEquals(200, client.read().status());
      }
      assertEquals(
          413, client.send(RawClient.post("/v1/check", "x".repeat(70_000))).read().status());
      client.socket().shutdownOutput();
      assertTrue(client.atEnd());
      assertEquals(501, server.limiter.asked.get());
    }
  }

  @Test
  void lastCallsAreAnsweredAndEndTheirConnections() throws IOException {
    try (ServerFixture server = new ServerFixture();
        RawClient open = server.connect();
        RawClient pipelining = server.connect()) {
      assertNull(open.send(CHECK).read().header("connection"));
      assertNull(pipelining.send(CHECK).read().header("connection"));
      server.unready.add("stopping");
      server.server.callLast();

      assertEquals("close", open.send(CHECK).read().header("connection"));
      assertTrue(open.atEnd());
      pipelining.send(CHECK.repeat(3));
      assertNull(pipelining.read().header("connection"));
      assertNull(pipelining.read().header("connection"));
      assertEquals("close", pipelining.read().header("connection"));
      assertTrue(pipelining.atEnd());
      Response probe = server.ask(RawClient.get("/health/ready"));
      assertEquals(503, probe.status());
      assertEquals("close", probe.header("connection"));
      assertEquals(200, server.check("{\"key\":\"k\"}").status());
    }
  }

  @Test
  void closeIsBoundedByWhatItIsTold() throws Exception {
    List<VerdictListener> waiting = new CopyOnWriteArrayList<>();
    ServerFixture server = new ServerFixture();
    server.limiter.script = (check, listener) -> waiting.add(listener);
    try (RawClient stuck = server.connect();
        RawClient greedy = RawClient.withSmallBuffer(server.address)) {
      stuck.send(CHECK);
      await("the check is asked").until(() -> waiting.size() == 1);
      server.limiter.script = (check, listener) -> listener.verdict(Verdicts.wide());
      Thread sender =
          new Thread(
              () ->
                  assertThrows(
                      IOException.class,
                      () -> {
                        byte[] many = CHECK.repeat(1_000).getBytes(StandardCharsets.UTF_8);
                        for (int i = 0; i < 1_000; i++) {
                          greedy.send(many);
                        }
                      }));
      sender.start();
      await("a client that never reads")
          .atMost(Duration.ofSeconds(60))
          .until(() -> server.times(HttpBound.UNREAD) == 1);

      CompletableFuture.runAsync(() -> server.server.close(1)).get(20, SECONDS);
      assertEquals(1, server.times(HttpBound.DRAIN_TIME));
      assertThrows(IOException.class, stuck::read);
      sender.join();
    }
    server.server.close();
    server.server.close(SECONDS.toNanos(1_000));
    assertEquals(1, server.times(HttpBound.DRAIN_TIME));
  }

  @Test
  void itsThreadsAreDaemonsAndEndWithIt() throws IOException {
    await("threads of earlier servers end").until(() -> threads().isEmpty());
    try (ServerFixture server = new ServerFixture()) {
      assertEquals(200, server.check("{\"key\":\"k\"}").status());
      assertEquals(200, server.ask(RawClient.get("/metrics")).status());
      assertFalse(threads().isEmpty());
      assertTrue(threads().stream().allMatch(Thread::isDaemon));
    }
    await("its threads end").until(() -> threads().isEmpty());
  }

  private static List<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("ringfence-http"))
        .toList();
  }
}
