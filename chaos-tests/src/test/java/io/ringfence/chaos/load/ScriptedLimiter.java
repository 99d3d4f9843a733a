package io.ringfence.chaos.load;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.ringfence.chaos.wire.MachineClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Stands for a cluster where the load and its books are tested: one window of an hour from the
 * start, by whole request, with one defect to be found.
 */
final class ScriptedLimiter implements AutoCloseable {
  private static final long HOUR_MILLIS = 3_600_000;

  /** What is wrong with the limiter. */
  enum Defect {
    /** Nothing. */
    NONE,
    /** Admits one more than the limit. */
    ADMITS_ONE_MORE,
    /** Tells waits that end a minute after the window. */
    WAITS_TOO_LONG,
    /** Answers 500 once in a while. */
    FAILS,
    /** Hangs up once the limit is used up. */
    HANGS_UP
  }

  private final long limit;
  private final Defect defect;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Map<String, Integer> used = new ConcurrentHashMap<>();
  private final long resetAt = MachineClock.epochMillis() + HOUR_MILLIS;

  ScriptedLimiter(long limit, Defect defect) throws IOException {
    this.limit = limit;
    this.defect = defect;
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
    server.createContext("/v1/check", this::check);
    server.setExecutor(threads);
    server.start();
  }

  InetSocketAddress address() {
    return server.getAddress();
  }

  private void check(HttpExchange exchange) throws IOException {
    byte[] asked = exchange.getRequestBody().readAllBytes();
    int count = used.merge(new String(asked, StandardCharsets.UTF_8), 1, Integer::sum);
    boolean over = count > limit + (defect == Defect.ADMITS_ONE_MORE ? 1 : 0);
    if (over && defect == Defect.HANGS_UP) {
      exchange.close();
      return;
    }
    long now = MachineClock.epochMillis();
    long retry = over ? resetAt - now + (defect == Defect.WAITS_TOO_LONG ? 60_000 : 0) : 0;
    String body =
        """
        {"allowed":%b,"limit":%d,"remaining":0,"retry_after_ms":%d,"reset_at":%d,\
        "rule":"r","certainty":"exact","owner":"n1","limits":[]}\
        """
            .formatted(!over, limit, retry, resetAt);
    if (over) {
      exchange.getResponseHeaders().add("Retry-After", "" + (retry + 999) / 1_000);
    }
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    int status = defect == Defect.FAILS && over ? 500 : over ? 429 : 200;
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
