package io.ringfence.chaos.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HttpConnectionTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private ServerSocket server;

  @BeforeEach
  void listen() throws IOException {
    server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void close() throws IOException {
    server.close();
  }

  /** A connection whose other end has said that, whatever is asked, and hung up. */
  private HttpConnection answering(String bytes) throws IOException {
    HttpConnection connection =
        HttpConnection.open(
            new InetSocketAddress(server.getInetAddress(), server.getLocalPort()), PATIENCE);
    try (Socket accepted = server.accept()) {
      accepted.getOutputStream().write(bytes.getBytes(StandardCharsets.UTF_8));
    }
    return connection;
  }

  @Test
  void answersComeInOrderOffOneConnection() throws IOException {
    String first = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX: 1\r\nx: 2\r\n\r\n{}";
    String second = "HTTP/1.1 429 Too Many\r\ncontent-length: 3\r\nRetry-After: 7\r\n\r\n[1]";
    try (HttpConnection connection = answering(first + second)) {
      Answer one = connection.receive();
      Answer two = connection.receive();
      assertEquals(200, one.status());
      assertEquals("1,2", one.header("x"));
      assertEquals("{}", one.body());
      assertEquals(429, two.status());
      assertEquals("7", two.header("retry-after"));
      assertEquals(1, two.json().get(0).intValue());
      assertThrows(EOFException.class, connection::receive);
    }
  }

  @Test
  void whatIsNotAWholeAnswerIsRefused() throws IOException {
    List<String> broken =
        List.of(
            "SSH-2.0-x\r\n",
            "HTTP/1.1 200 OK\r\n\r\n",
            "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\n");
    for (String bytes : broken) {
      try (HttpConnection connection = answering(bytes)) {
        assertThrows(ProtocolException.class, connection::receive, bytes);
      }
    }
    try (HttpConnection connection = answering("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n{}")) {
      assertThrows(EOFException.class, connection::receive);
    }
  }
}
