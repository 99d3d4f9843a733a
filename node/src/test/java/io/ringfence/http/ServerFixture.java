package io.ringfence.http;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.netty.util.ResourceLeakDetector;
import io.ringfence.engine.BoundsSettings;
import io.ringfence.membership.Address;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.LoggerFactory;

/**
 * A server on a free port with a scripted limiter and a virtual clock. Leak detection is at its
 * strictest; a leak that was reported while the fixture lived fails its close.
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
  private final ListAppender<ILoggingEvent> leaks = new ListAppender<>();

  ServerFixture() throws IOException {
    this(HttpLimits.DEFAULT);
  }

  ServerFixture(HttpLimits limits) throws IOException {
    leaks.start();
    leakLog().addAppender(leaks);
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

  private static Logger leakLog() {
    return (Logger) LoggerFactory.getLogger(ResourceLeakDetector.class);
  }

  @Override
  public void close() {
    server.close();
    leakLog().detachAppender(leaks);
    if (!leaks.list.isEmpty()) {
      throw new AssertionError("leaked: " + leaks.list.get(0).getFormattedMessage());
    }
  }
}
