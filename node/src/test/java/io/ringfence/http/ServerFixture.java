package io.ringfence.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.util.ResourceLeakDetector;
import io.ringfence.engine.BoundsSettings;
import io.ringfence.membership.Address;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server on a free port with a scripted limiter and a virtual clock. Leak detection is at its
 * strictest; a buffer that was lost while the fixture lived fails its close, if the garbage
 * collector finds it in time.
 */
final class ServerFixture implements AutoCloseable {
  static {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
  }

  final ScriptedLimiter limiter = new ScriptedLimiter();
  final ManualClock clock = new ManualClock();
  final List<String> unready = new CopyOnWriteArrayList<>();
  final Map<String, AtomicInteger> overflows = new ConcurrentHashMap<>();
  final Map<String, AtomicInteger> defects = new ConcurrentHashMap<>();
  final Address address;
  final HttpServer server;
  private final Queue<String> leaks = new ConcurrentLinkedQueue<>();

  ServerFixture() throws IOException {
    this(HttpLimits.DEFAULT);
  }

  ServerFixture(HttpLimits limits) throws IOException {
    ByteBufUtil.setLeakListener((resource, records) -> leaks.add(resource + records));
    HttpMetrics metrics =
        new HttpMetrics() {
          @Override
          public void overflow(String bound) {
            overflows.computeIfAbsent(bound, b -> new AtomicInteger()).incrementAndGet();
          }

          @Override
          public void defect(String part) {
            defects.computeIfAbsent(part, p -> new AtomicInteger()).incrementAndGet();
          }
        };
    HttpSettings settings =
        new HttpSettings(
            new Address("127.0.0.1", 0),
            BoundsSettings.DEFAULT,
            limits,
            EnumSet.allOf(Dialect.class));
    server =
        new HttpServer(
            settings,
            new HttpBackend(limiter, clock, () -> List.copyOf(unready), () -> "up 1\n", metrics));
    address = server.start();
  }

  RawClient connect() throws IOException {
    return new RawClient(address);
  }

  /** One request on a connection of its own. */
  Response ask(String request) throws IOException {
    try (RawClient client = connect()) {
      return client.send(request).read();
    }
  }

  Response check(String body) throws IOException {
    return ask(RawClient.post("/v1/check", body));
  }

  @Override
  public void close() {
    server.close();
    System.gc();
    for (int i = 0; i < 100; i++) {
      // A leak is reported when another buffer is taken.
      ByteBuf taken = ByteBufAllocator.DEFAULT.buffer(16);
      taken.release();
    }
    if (!leaks.isEmpty()) {
      throw new AssertionError("buffers were lost: " + leaks);
    }
  }
}
