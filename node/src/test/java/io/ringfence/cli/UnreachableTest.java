package io.ringfence.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import org.junit.jupiter.api.Test;

/** Addresses that answer nothing, too slowly, or something else: a line each, and exit code 2. */
class UnreachableTest {
  private static String complaint(String url, String timeout) {
    Ran ran = Ran.command("cluster", "--url", url, "--timeout", timeout).naming(url, "URL");
    assertEquals(2, ran.exitCode());
    assertEquals("", ran.out());
    return ran.err();
  }

  @Test
  void refuses() throws IOException {
    try (Socket nobody = OddServer.refusing()) {
      assertEquals(
          "ringfence: URL: connection refused\n",
          complaint("http://127.0.0.1:" + nobody.getLocalPort(), "10s"));
    }
  }

  @Test
  void acceptsAndSaysNothing() throws IOException {
    try (OddServer frozen = OddServer.stalling("")) {
      assertEquals("ringfence: URL: no answer within 200 ms\n", complaint(frozen.url(), "200ms"));
    }
  }

  @Test
  void beginsAnAnswerAndStops() throws IOException {
    String half =
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{\"node\":";
    try (OddServer slow = OddServer.stalling(half)) {
      assertEquals("ringfence: URL: no answer within 300 ms\n", complaint(slow.url(), "300ms"));
    }
  }

  @Test
  void isNotHttp() throws IOException {
    try (OddServer other = OddServer.hangingUp("220 mail.example.com ESMTP\r\n")) {
      String line = complaint(other.url(), "10s");
      assertTrue(line.startsWith("ringfence: URL: the connection broke, or what came"), line);
      assertEquals(1, line.lines().count(), line);
    }
  }

  @Test
  void answersWithoutEnd() throws IOException {
    String endless =
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"
            + " ".repeat(NodeClient.MAX_ANSWER_BYTES + 1);
    try (OddServer endlessServer = OddServer.hangingUp(endless)) {
      assertEquals(
          "ringfence: URL: the answer is longer than 4194304 bytes\n",
          complaint(endlessServer.url(), "30s"));
    }
  }

  @Test
  void hasNoSuchName() {
    assertEquals(
        "ringfence: URL: the host's name is not known\n",
        complaint("http://no-such-host.invalid:8080", "30s"));
  }
}
