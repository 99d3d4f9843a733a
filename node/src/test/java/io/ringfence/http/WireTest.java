package io.ringfence.http;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP/1.1 as real and hostile clients speak it. */
class WireTest {
  private static final String BODY = "{\"key\":\"k\"}";
  private static final String CHECK = RawClient.post("/v1/check", BODY);

  private static ServerFixture server;

  @BeforeAll
  static void start() throws IOException {
    server = new ServerFixture();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static void refusesAndCloses(int status, String request) throws IOException {
    try (RawClient client = server.connect()) {
      Response response = client.send(request).read();
      assertEquals(status, response.status(), response.body());
      assertEquals("application/problem+json", response.header("content-type"));
      assertEquals("close", response.header("connection"));
      client.socket().shutdownOutput();
      assertTrue(client.atEnd());
    }
    assertEquals(200, server.check(BODY).status());
  }

  @Test
  void aConnectionServesManyRequests() throws IOException {
    try (RawClient client = server.connect()) {
      for (int i = 0; i < 100; i++) {
        Response response = client.send(CHECK).read();
        assertEquals(200, response.status());
        assertNull(response.header("connection"));
      }
    }
  }

  @Test
  void aRequestMayComeByteByByte() throws IOException {
    try (RawClient client = server.connect()) {
      for (byte b : CHECK.getBytes(StandardCharsets.UTF_8)) {
        client.send(new byte[] {b});
      }
      assertEquals(200, client.read().status());
      String body = "3\r\n{\"k\r\n8;x=y\r\ney\":\"k\"}\r\n0\r\nTrailer: t\r\n\r\n";
      String chunked = "POST /v1/check HTTP/1.1\r\nTransfer-Encoding: Chunked\r\n\r\n" + body;
      assertEquals(200, client.send(chunked).read().status());
      for (byte b : chunked.getBytes(StandardCharsets.UTF_8)) {
        client.send(new byte[] {b});
      }
      assertEquals(200, client.read().status());
    }
  }

  @Test
  void closeAndOldVersionsAreHonoured() throws IOException {
    try (RawClient client = server.connect()) {
      Response last = client.send("GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n").read();
      assertEquals("close", last.header("connection"));
      assertTrue(client.atEnd());
    }
    try (RawClient client = server.connect()) {
      Response last = client.send("GET /health/live HTTP/1.0\r\n\r\n").read();
      assertEquals(200, last.status());
      assertEquals("close", last.header("connection"));
      assertTrue(client.atEnd());
    }
    try (RawClient client = server.connect()) {
      String kept = "GET /health/live HTTP/1.0\r\nConnection: keep-alive\r\n\r\n";
      assertEquals("keep-alive", client.send(kept).read().header("connection"));
      assertEquals("keep-alive", client.send(kept).read().header("connection"));
    }
  }

  @Test
  void aClientThatHasSentAllStillGetsItsAnswers() throws IOException {
    try (RawClient client = server.connect()) {
      client.send(CHECK + CHECK).socket().shutdownOutput();
      assertEquals(200, client.read().status());
      assertEquals(200, client.read().status());
      assertTrue(client.atEnd());
    }
  }

  @Test
  void aBodyOverItsBoundIsDroppedSoThatTheAnswerArrives() throws IOException {
    for (int size : new int[] {64 * 1024 + 1, 1024 * 1024, 3 * 1024 * 1024}) {
      refusesAndCloses(413, RawClient.post("/v1/check", "x".repeat(size)));
    }
    String body = Integer.toHexString(100_000) + "\r\n" + "x".repeat(100_000) + "\r\n0\r\n\r\n";
    refusesAndCloses(413, "POST /v1/peek HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + body);
    refusesAndCloses(413, RawClient.post("/nothing", "x".repeat(100_000)));
    String exact = "{\"key\":\"k\"" + " ".repeat(64 * 1024 - 11) + "}";
    assertEquals(200, server.check(exact).status());
  }

  @Test
  void dropsOnlySoMuchOfABody() throws IOException {
    byte[] piece = new byte[256 * 1024];
    try (RawClient client = server.connect()) {
      client.send("POST /v1/check HTTP/1.1\r\nContent-Length: 1000000000\r\n\r\n");
      assertEquals(413, client.read().status());
      assertThrows(
          IOException.class,
          () -> {
            for (int sent = 0; sent < 1_000_000_000; sent += piece.length) {
              client.send(piece);
            }
          });
    }
  }

  @Test
  void leaveToSendTheBodyIsGivenOnce() throws IOException {
    String expecting =
        "POST /v1/check HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: "
            + BODY.length()
            + "\r\n\r\n";
    try (RawClient client = server.connect()) {
      for (int i = 0; i < 3; i++) {
        assertEquals(100, client.send(expecting).read().status());
        assertEquals(200, client.send(BODY).read().status());
      }
      client.send(CHECK + expecting + BODY + CHECK);
      assertEquals(200, client.read().status());
      assertEquals(100, client.read().status());
      assertEquals(200, client.read().status());
      assertEquals(200, client.read().status());
    }
    refusesAndCloses(
        413, "POST /v1/check HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 99999999\r\n\r\n");
    refusesAndCloses(417, "POST /v1/check HTTP/1.1\r\nExpect: tea\r\nContent-Length: 0\r\n\r\n");
    assertEquals(
        200,
        server
            .ask("GET /health/live HTTP/1.0\r\nExpect: tea\r\nContent-Length: 0\r\n\r\n")
            .status());
  }

  @Test
  void headersAreBounded() throws IOException {
    refusesAndCloses(414, "GET /" + "x".repeat(9_000) + " HTTP/1.1\r\n\r\n");
    refusesAndCloses(431, "GET / HTTP/1.1\r\nX: " + "x".repeat(17_000) + "\r\n\r\n");
    refusesAndCloses(431, "GET / HTTP/1.1\r\n" + "X: y\r\n".repeat(5_000) + "\r\n");
    String nearly = "GET /health/live HTTP/1.1\r\nX: " + "x".repeat(16_000) + "\r\n\r\n";
    assertEquals(200, server.ask(nearly).status());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "POST /v1/check HTTP/1.1\r\nContent-Length: 11\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST /v1/check HTTP/1.1\r\nContent-Length: 11\r\nContent-Length: 12\r\n\r\n",
        "POST /v1/check HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "POST /v1/check HTTP/1.1\r\nContent-Length: 1x\r\n\r\n",
        "POST /v1/check HTTP/1.1\r\nBad Header: x\r\n\r\n",
        "POST /v1/check HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "GET /health/live\r\n\r\n",
        "GET  HTTP/1.1\r\n\r\n",
        "\u0016\u0003\u0001\u0002\r\n\r\n",
      })
  void whatIsNotHttpIsRefused(String request) throws IOException {
    refusesAndCloses(400, request);
  }

  @Test
  void whatIsNotSpokenIsRefused() throws IOException {
    refusesAndCloses(501, "POST /v1/check HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n");
    refusesAndCloses(505, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  }

  @Test
  void aMebibyteOfNoiseLeavesTheNodeServing() throws IOException {
    long seed = 20_260_101;
    Random random = new Random(seed);
    for (int round = 0; round < 8; round++) {
      byte[] noise = new byte[1024 * 1024];
      random.nextBytes(noise);
      if (round % 2 == 1) {
        byte[] start = CHECK.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(start, 0, noise, 0, start.length - round);
      }
      try (RawClient client = server.connect()) {
        client.send(noise);
      } catch (IOException closedByTheServer) {
        String message = String.valueOf(closedByTheServer.getMessage());
        assertTrue(
            message.toLowerCase(Locale.ROOT).matches(".*(reset|broken|abort).*"),
            "seed " + seed + ", round " + round + ": " + message);
      }
      assertEquals(200, server.check(BODY).status(), "seed " + seed + ", round " + round);
    }
    await("no defect was met").until(server.defects::isEmpty);
  }
}
