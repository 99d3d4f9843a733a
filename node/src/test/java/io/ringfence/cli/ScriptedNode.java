package io.ringfence.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Answers HTTP as it is told, on a port of its own, and keeps what it was sent. */
final class ScriptedNode implements AutoCloseable {
  private record Script(int status, String contentType, String body) {}

  private final HttpServer server;
  private final Map<String, Script> scripts = new ConcurrentHashMap<>();
  private final Queue<String> received = new ConcurrentLinkedQueue<>();

  ScriptedNode() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::answer);
    server.start();
  }

  /** From now on that path is answered so. */
  ScriptedNode on(String path, int status, String contentType, String body) {
    scripts.put(path, new Script(status, contentType, body));
    return this;
  }

  ScriptedNode json(String path, int status, String body) {
    return on(path, status, "application/json", body);
  }

  ScriptedNode problem(String path, int status, String body) {
    return on(path, status, "application/problem+json", body);
  }

  ScriptedNode ready() {
    return json("/health/ready", 200, "{\"status\":\"ready\"}");
  }

  String address() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  String url() {
    return "http://" + address();
  }

  /** Method, path and body of each request, in order. */
  Queue<String> received() {
    return received;
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      String path = exchange.getRequestURI().toString();
      received.add((exchange.getRequestMethod() + " " + path + " " + body).strip());
      Script script =
          scripts.getOrDefault(path, new Script(404, "text/html", "<html>nothing here</html>"));
      if (script.status >= 300 && script.status < 400) {
        exchange.getResponseHeaders().set("Location", script.body);
      }
      byte[] bytes = script.body.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", script.contentType);
      exchange.sendResponseHeaders(script.status, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
