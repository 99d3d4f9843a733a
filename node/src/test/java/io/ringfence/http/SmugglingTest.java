package io.ringfence.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A message of which two readers may think that it ends in two places is refused, its connection is
 * closed, and what came after it on that connection is never served.
 */
class SmugglingTest {
  private static final String START = "POST /v1/check HTTP/1.1\r\nHost: t\r\n";
  private static final String HIDDEN = RawClient.post("/v1/check", "{\"key\":\"hidden\"}");

  private static ServerFixture server;

  @BeforeAll
  static void start() throws IOException {
    server = new ServerFixture();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
        "Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}   ",
        "Content-Length: 0\r\nContent-Length: 0\r\n\r\n",
        "Content-Length: 5, 6\r\n\r\n{}   ",
        "Content-Length: +5\r\n\r\n{}   ",
        "Content-Length: 0x5\r\n\r\n{}   ",
        "Content-Length: -5\r\n\r\n{}   ",
        "Content-Length: 5 5\r\n\r\n{}   ",
        "Content-Length:\r\n\r\n",
        "Content-Length: 99999999999999999999\r\n\r\n",
        "Content-Length : 5\r\n\r\n{}   ",
        "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: identity\r\n\r\n",
        "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: \"chunked\"\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding:\u000bchunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n+1\r\nx\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n0x1\r\nx\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\nfffffffff\r\nx\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n1\r\nxy\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n1\nx\r\n0\r\n\r\n",
        "Host: other\r\nContent-Length: 0\r\n\r\n",
        "X: a\r\n Transfer-Encoding: chunked\r\n\u0000: b\r\nContent-Length: 0\r\n\r\n",
        "X\u0000: a\r\nContent-Length: 0\r\n\r\n",
        "X: a\rContent-Length: 9\r\nContent-Length: 0\r\n\r\n",
      })
  void anAmbiguousLengthIsRefused(String rest) throws IOException {
    refuses(START + rest + HIDDEN);
  }

  @Test
  void chunksDoNotExistBeforeHttp11() throws IOException {
    refuses("POST /v1/check HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + HIDDEN);
  }

  private static void refuses(String request) throws IOException {
    int before = server.limiter.asked.get();
    try (RawClient client = server.connect()) {
      Response response = client.send(request).read();
      assertTrue(response.status() == 400 || response.status() == 501, response::toString);
      assertEquals("close", response.header("connection"));
      client.socket().shutdownOutput();
      assertTrue(client.atEnd());
    }
    assertEquals(before, server.limiter.asked.get(), "what was hidden behind it was served");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /health/live HTTP/1.1\r\n\r\n",
        "GET http://any.example/health/live HTTP/1.1\r\nHost: any.example\r\n\r\n",
        "GET HTTP://any.example:80/health/live?x=y HTTP/1.1\r\nHost: t\r\n\r\n",
        "\r\n\r\nGET /health/live HTTP/1.1\r\nHost: t\r\n\r\n",
      })
  void formsOfATargetThatMeanTheSameAreServed(String request) throws IOException {
    assertEquals(200, server.ask(request).status());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "OPTIONS * HTTP/1.1\r\nHost: t\r\n\r\n",
        "CONNECT any.example:443 HTTP/1.1\r\nHost: any.example\r\n\r\n",
        "GET any.example HTTP/1.1\r\nHost: t\r\n\r\n",
        "GET http:// HTTP/1.1\r\nHost: t\r\n\r\n",
        "GET //health/live HTTP/1.1\r\nHost: t\r\n\r\n",
        "GET /health/live/ HTTP/1.1\r\nHost: t\r\n\r\n",
        "GET /health/%6Cive HTTP/1.1\r\nHost: t\r\n\r\n",
      })
  void otherTargetsLeadNowhereAndTheConnectionGoesOn(String request) throws IOException {
    try (RawClient client = server.connect()) {
      assertEquals(404, client.send(request).read().status());
      assertEquals(200, client.send(RawClient.get("/health/live")).read().status());
    }
  }
}
