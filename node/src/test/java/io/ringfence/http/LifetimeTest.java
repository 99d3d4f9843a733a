package io.ringfence.http;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.engine.VerdictListener;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** How long connections and servers live, and how they end. */
class LifetimeTest {
  private static final String CHECK = RawClient.post("/v1/check", "{\"key\":\"k\"}");

  private static HttpLimits limits(int connections, long idleMillis, long requestMillis) {
    return new HttpLimits(
        connections,
        16,
        MILLISECONDS.toNanos(idleMillis),
        MILLISECONDS.toNanos(requestMillis),
        SECONDS.toNanos(20));
  }

  @Test
  void aSlowRequestIsGivenUp() throws IOException {
    try (ServerFixture server = new ServerFixture(limits(10, 60_000, 50))) {
      for (int length : new int[] {1, 20, CHECK.length() - 1}) {
        try (RawClient client = server.connect()) {
          Response response = client.send(CHECK.substring(0, length)).read();
          assertEquals(408, response.status());
          assertEquals("close", response.header("connection"));
          client.socket().shutdownOutput();
          assertTrue(client.atEnd());
        }
      }
      assertEquals(0, server.limiter.asked.get());
    }
  }

  @Test
  void aSlowAnswerIsNotTheClientsFault() throws IOException {
    List<VerdictListener> waiting = new CopyOnWriteArrayList<>();
    try (ServerFixture server = new ServerFixture(limits(10, 60_000, 1));
        RawClient client = server.connect()) {
      server.limiter.script = (check, listener) -> waiting.add(listener);
      client.send(CHECK);
      await("the check is asked").until(() -> waiting.size() == 1);
      try (RawClient slow = server.connect()) {
        assertEquals(408, slow.send("GET /").read().status());
      }
      waiting.get(0).verdict(Verdicts.of(true));
      assertEquals(200, client.read().status());
    }
  }

  @Test
  void anIdleConnectionIsClosed() throws IOException {
    try (ServerFixture server = new ServerFixture(limits(10, 50, 10_000));
        RawClient silent = server.connect();
        RawClient served = server.connect()) {
      assertEquals(200, served.send(CHECK).read().status());
      assertTrue(served.atEnd());
      assertTrue(silent.atEnd());
    }
  }

  @Test
  void theNewestConnectionIsRefusedAtTheBound() throws IOException {
    try (ServerFixture server = new ServerFixture(limits(2, 60_000, 10_000));
        RawClient first = server.connect();
        RawClient second = server.connect()) {
      assertEquals(200, first.send(CHECK).read().status());
      assertEquals(200, second.send(CHECK).read().status());
      try (RawClient third = server.connect()) {
        Response refusal = third.send(CHECK).read();
        assertEquals(503, refusal.status());
        assertEquals("close", refusal.header("connection"));
        assertEquals("application/problem+json", refusal.header("content-type"));
        third.socket().shutdownOutput();
        assertTrue(third.atEnd());
      }
      assertEquals("1", String.valueOf(server.times(HttpBound.CONNECTIONS)));
      assertEquals(2, server.limiter.asked.get());

      second.socket().close();
      await("there is room for another")
          .until(
              () -> {
                try (RawClient another = server.connect()) {
                  return another.send(CHECK).read().status() == 200;
                }
              });
      assertEquals(200, first.send(CHECK).read().status());
    }
  }

  @Test
  void closeLetsRequestsInProgressFinish() throws Exception {
    List<VerdictListener> waiting = new CopyOnWriteArrayList<>();
    ServerFixture server = new ServerFixture(limits(10, 60_000, 10_000));
    try (RawClient busy = server.connect();
        RawClient idle = server.connect()) {
      assertNull(idle.send(CHECK).read().header("connection"));
      server.limiter.script = (check, listener) -> waiting.add(listener);
      busy.send(CHECK);
      await("the check is asked").until(() -> waiting.size() == 1);

      CompletableFuture<Void> closed = CompletableFuture.runAsync(server::close);
      assertTrue(idle.atEnd());
      assertThrows(IOException.class, () -> server.connect().close());
      assertFalse(closed.isDone());

      waiting.get(0).verdict(Verdicts.of(true));
      Response last = busy.read();
      assertEquals(200, last.status());
      assertEquals("close", last.header("connection"));
      assertTrue(busy.atEnd());
      closed.get(20, SECONDS);
    }
  }

  @Test
  void closeDoesNotWaitForever() throws Exception {
    HttpLimits impatient = new HttpLimits(10, 16, SECONDS.toNanos(60), SECONDS.toNanos(60), 1);
    List<VerdictListener> waiting = new CopyOnWriteArrayList<>();
    ServerFixture server = new ServerFixture(impatient);
    try (RawClient stuck = server.connect()) {
      server.limiter.script = (check, listener) -> waiting.add(listener);
      stuck.send(CHECK);
      await("the check is asked").until(() -> waiting.size() == 1);
      CompletableFuture.runAsync(server::close).get(20, SECONDS);
      assertThrows(IOException.class, stuck::read);
    }
    // An answer that comes after all has closed is nobody's; it must not throw at the engine.
    waiting.get(0).verdict(Verdicts.of(true));
    server.server.close();
  }

  @Test
  void anAddressInUseIsNamed() throws IOException {
    try (ServerFixture server = new ServerFixture()) {
      HttpServer second =
          new HttpServer(
              HttpSettings.of(server.address),
              new HttpBackend(
                  server.limiter,
                  server.clock,
                  new NodeFacts(
                      List::of, () -> "", () -> server.rules, () -> ViewFacts.NONE, server.cluster),
                  HttpMetrics.NONE));
      IOException failure = assertThrows(IOException.class, second::start);
      assertTrue(String.valueOf(failure.getMessage()).contains(server.address.toString()));
      second.close();
      assertThrows(IllegalStateException.class, second::start);
    }
  }
}
