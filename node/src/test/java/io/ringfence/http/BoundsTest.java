package io.ringfence.http;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.embedded.EmbeddedChannel;
import io.ringfence.engine.VerdictListener;
import io.ringfence.rules.Rule;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Each bound is met by somebody, is counted under its name, and leaves everybody else alone. */
class BoundsTest {
  private static final String CHECK = RawClient.post("/v1/check", "{\"key\":\"k\"}");
  private static final Rule RULE = Verdicts.plain("r", 0);

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static HttpLimits limits(int connections, int pipelined, long idle, long requestMillis) {
    return new HttpLimits(
        connections,
        pipelined,
        MILLISECONDS.toNanos(idle),
        MILLISECONDS.toNanos(requestMillis),
        SECONDS.toNanos(20));
  }

  private static void refuses(ServerFixture server, int status, HttpBound bound, String request)
      throws IOException {
    int before = server.times(bound);
    try (RawClient client = server.connect()) {
      Response response = client.send(request).read();
      assertEquals(status, response.status(), response.body());
      assertEquals("close", response.header("connection"));
      client.socket().shutdownOutput();
      assertTrue(client.atEnd());
    }
    assertEquals(before + 1, server.times(bound), bound.text());
  }

  @Test
  void messagesOverTheirBoundsAreCountedByTheBound() throws IOException {
    try (ServerFixture server = new ServerFixture(limits(10, 16, 60_000, 60_000))) {
      String get = "GET /health/live HTTP/1.1\r\n";
      refuses(server, 414, HttpBound.REQUEST_LINE, "GET /" + "x".repeat(9_000) + " HTTP/1.1\r\n");
      refuses(server, 431, HttpBound.HEADER, get + "X: " + "x".repeat(17_000) + "\r\n\r\n");
      refuses(server, 431, HttpBound.HEADER_LINES, get + "X: y\r\n".repeat(129) + "\r\n");
      refuses(server, 413, HttpBound.BODY, RawClient.post("/v1/check", "x".repeat(65_537)));
      String chunked = "POST /v1/check HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
      String trailer = "0\r\nX: " + "x".repeat(17_000) + "\r\n\r\n";
      refuses(server, 431, HttpBound.HEADER, chunked + trailer);
      assertEquals(200, server.ask(get + "X: y\r\n".repeat(128) + "\r\n").status());
      assertEquals(413, server.check("{\"key\":\"" + "k".repeat(257) + "\"}").status());
      assertEquals(1, server.times(HttpBound.FIELD));
      assertEquals(0, server.limiter.asked.get());
    }
  }

  @Test
  void aRequestThatDribblesIsGivenUp() throws IOException {
    try (ServerFixture server = new ServerFixture(limits(10, 16, 60_000, 50))) {
      refuses(server, 408, HttpBound.REQUEST_TIME, "POST /v1/check HT");
      refuses(server, 408, HttpBound.REQUEST_TIME, "POST /v1/check HTTP/1.1\r\nX: y\r\n");
      refuses(server, 408, HttpBound.REQUEST_TIME, CHECK.substring(0, CHECK.length() - 1));
      String chunked = "POST /v1/check HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"";
      refuses(server, 408, HttpBound.REQUEST_TIME, chunked);
      assertEquals(0, server.limiter.asked.get());
    }
  }

  @Test
  void bytesThatKeepComingDoNotStretchTheTimeOfARequest() throws Exception {
    try (ServerFixture server = new ServerFixture(limits(10, 16, 60_000, 200));
        RawClient slow = server.connect()) {
      byte[] head = "POST /v1/check HTTP/1.1\r\nX: ".getBytes(StandardCharsets.UTF_8);
      slow.send(head).socket().setSoTimeout(20);
      Response refusal = null;
      for (int sent = 0; refusal == null && sent < 10_000; sent++) {
        slow.send("x");
        refusal = slow.tryRead();
      }
      assertEquals(408, refusal == null ? 0 : refusal.status());
    }
  }

  @Test
  void aConnectionOnWhichNothingMovesIsClosedAndCounted() throws IOException {
    try (ServerFixture server = new ServerFixture(limits(10, 16, 50, 10_000));
        RawClient silent = server.connect()) {
      assertTrue(silent.atEnd());
      assertEquals(1, server.times(HttpBound.IDLE_TIME));
    }
  }

  @Test
  void whatIsDroppedAfterALastAnswerIsBounded() throws IOException {
    byte[] piece = new byte[256 * 1024];
    try (ServerFixture server = new ServerFixture();
        RawClient client = server.connect()) {
      client.send("POST /v1/check HTTP/1.1\r\nContent-Length: 1000000000\r\n\r\n");
      assertEquals(413, client.read().status());
      assertThrows(
          IOException.class,
          () -> {
            for (int sent = 0; sent < 1_000_000_000; sent += piece.length) {
              client.send(piece);
            }
          });
      assertEquals(1, server.times(HttpBound.LINGER));
    }
  }

  @Test
  void theRefusedAreToldSoUpToABoundAndThenClosedWithoutAWord() throws IOException {
    List<RawClient> crowd = new ArrayList<>();
    try (ServerFixture server = new ServerFixture(limits(1, 16, 60_000, 60_000));
        RawClient served = server.connect()) {
      assertEquals(200, served.send(CHECK).read().status());
      for (int i = 0; i < Connections.MAX_REFUSING + 40; i++) {
        crowd.add(server.connect());
      }
      await("all are dealt with").until(() -> server.times(HttpBound.CONNECTIONS) == crowd.size());
      int told = 0;
      for (RawClient one : crowd) {
        told += wasTold(one) ? 1 : 0;
      }
      assertTrue(told > 0);
      assertEquals(crowd.size() - told, server.times(HttpBound.REFUSALS));
      assertEquals(200, served.send(CHECK).read().status());
    } finally {
      for (RawClient one : crowd) {
        one.close();
      }
    }
  }

  private static boolean wasTold(RawClient refused) throws IOException {
    try {
      return refused.read().status() == 503;
    } catch (EOFException withoutAWord) {
      return false;
    }
  }

  @Test
  void requestsInProgressAreBoundedAndTheHoldUpIsCountedOnce() throws IOException {
    List<VerdictListener> waiting = new CopyOnWriteArrayList<>();
    try (ServerFixture server = new ServerFixture(limits(10, 4, 60_000, 60_000));
        RawClient client = server.connect()) {
      server.limiter.script = (check, listener) -> waiting.add(listener);
      client.send(CHECK.repeat(9));
      await("four are in progress").until(() -> waiting.size() == 4);
      await("the hold-up is counted").until(() -> server.times(HttpBound.PIPELINED) == 1);
      for (int i = 0; i < 9; i++) {
        int next = i;
        await("check " + next).until(() -> waiting.size() > next);
        waiting.get(next).verdict(Verdicts.of(true, Verdicts.passes(RULE, 10, next, 0)));
        assertEquals(next, client.read().json().get("remaining").asInt());
      }
    }
  }

  @Test
  void ofAllWhoDoNotReadTheOneThatHasNotReadForLongestGoesFirst() throws IOException {
    Premises.Totals totals = new Premises.Totals(256 * 1024, 1 << 20);
    try (ServerFixture server =
            new ServerFixture(EventLoops.best(), totals, limits(100, 128, 60_000, 60_000));
        RawClient reader = server.connect()) {
      server.limiter.answer(Verdicts.wide());
      List<RawClient> greedy = new ArrayList<>();
      try {
        while (server.times(HttpBound.UNREAD_TOTAL) == 0) {
          assertTrue(greedy.size() < 50, "fifty connections that do not read were kept");
          RawClient another = RawClient.withSmallBuffer(server.address);
          greedy.add(another);
          int unread = greedy.size();
          Thread sender = new Thread(() -> sendUntilClosed(another));
          sender.setDaemon(true);
          sender.start();
          await("it is not read any more")
              .atMost(PATIENCE)
              .until(
                  () ->
                      server.times(HttpBound.UNREAD) >= unread
                          || server.times(HttpBound.UNREAD_TOTAL) > 0);
        }
        assertTrue(server.server.premises().unread().totalBytes() <= totals.unreadBytes());
        assertTrue(endsEarly(greedy.get(0)), "the first of them was closed");
        assertEquals(200, reader.send(CHECK).read().status());
      } finally {
        for (RawClient one : greedy) {
          one.close();
        }
      }
      await("nothing is held for those who have gone")
          .until(() -> server.server.premises().unread().totalBytes() == 0);
    }
  }

  private static void sendUntilClosed(RawClient client) {
    byte[] hundred = CHECK.repeat(100).getBytes(StandardCharsets.UTF_8);
    try {
      for (int i = 0; i < 10_000; i++) {
        client.send(hundred);
      }
    } catch (IOException closed) {
      assertTrue(client.socket().isConnected());
    }
  }

  private static boolean endsEarly(RawClient client) {
    try {
      for (int answers = 0; answers < 1_000_000; answers++) {
        client.read();
      }
      return false;
    } catch (IOException end) {
      return true;
    }
  }

  @Test
  void bodiesThatComeInPartAreBoundedTogetherAndWholeOnesAreNot() throws IOException {
    Premises.Totals totals = new Premises.Totals(1 << 20, 100 * 1024);
    String half = "POST /v1/check HTTP/1.1\r\nContent-Length: 60000\r\n\r\n" + " ".repeat(40_000);
    try (ServerFixture server =
            new ServerFixture(EventLoops.best(), totals, limits(100, 128, 60_000, 60_000));
        RawClient first = server.connect();
        RawClient second = server.connect()) {
      PartialBodies bodies = server.server.premises().bodies();
      first.send(half);
      await("the first is held").until(() -> bodies.heldBytes() >= 40_000);
      second.send(half);
      await("the second is held").until(() -> bodies.heldBytes() >= 80_000);
      refuses(server, 503, HttpBound.BODIES_TOTAL, half);
      assertEquals(200, server.check("{\"key\":\"k\"}").status());
      assertEquals(1, server.limiter.asked.get());
      first.socket().close();
      second.socket().close();
      await("nothing is held").until(() -> bodies.heldBytes() == 0);
      try (RawClient third = server.connect()) {
        third.send(half + " ".repeat(19_989) + "{\"key\":\"k\"}");
        assertEquals(200, third.read().status());
      }
      assertEquals(0, bodies.heldBytes());
    }
  }

  @Test
  void theLongestUnreadIsDroppedAndWhoReadsIsForgotten() {
    UnreadAnswers unread = new UnreadAnswers(100);
    EmbeddedChannel first = new EmbeddedChannel();
    EmbeddedChannel second = new EmbeddedChannel();
    EmbeddedChannel third = new EmbeddedChannel();
    assertEquals(0, unread.holds(first, 40));
    assertEquals(0, unread.holds(second, 40));
    assertEquals(0, unread.holds(first, 60), "100 is allowed, and growing makes nobody younger");
    assertEquals(1, unread.holds(third, 1));
    assertEquals(List.of(false, true, true), openness(first, second, third));
    assertEquals(41, unread.totalBytes());
    assertEquals(0, unread.holds(second, 0));
    assertEquals(0, unread.holds(first, 0), "it is gone already");
    assertEquals(1, unread.totalBytes());
    assertEquals(1, unread.holds(third, 101), "nobody holds more than all may");
    assertEquals(0, unread.totalBytes());
  }

  private static List<Boolean> openness(EmbeddedChannel... channels) {
    return List.of(channels).stream().map(EmbeddedChannel::isOpen).toList();
  }
}
