package io.ringfence.http;

import io.ringfence.engine.BoundsSettings;
import io.ringfence.membership.Address;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A server on a free port with a scripted limiter and a virtual clock. */
final class ServerFixture implements AutoCloseable {
  final ScriptedLimiter limiter = new ScriptedLimiter();
  final ManualClock clock = new ManualClock();
  final List<String> unready = new CopyOnWriteArrayList<>();
  final Map<String, AtomicInteger> overflows = new ConcurrentHashMap<>();
  final Map<String, AtomicInteger> defects = new ConcurrentHashMap<>();
  volatile ViewFacts view = ViewFacts.NONE;
  final ScriptedCluster cluster = new ScriptedCluster();
  volatile ConfiguredRules rules = new ConfiguredRules("v1", List.of());
  final Address address;
  final HttpServer server;

  ServerFixture() throws IOException {
    this(HttpLimits.DEFAULT);
  }

  ServerFixture(HttpLimits limits) throws IOException {
    this(limits, Access.everybody(null));
  }

  ServerFixture(HttpLimits limits, Access access) throws IOException {
    this(EventLoops.best(), Premises.Totals.DEFAULT, limits, access);
  }

  ServerFixture(EventLoops transport, Premises.Totals totals, HttpLimits limits)
      throws IOException {
    this(transport, totals, limits, Access.everybody(null));
  }

  private ServerFixture(
      EventLoops transport, Premises.Totals totals, HttpLimits limits, Access access)
      throws IOException {
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
            EnumSet.allOf(Dialect.class),
            access);
    NodeFacts facts =
        new NodeFacts(() -> List.copyOf(unready), () -> "up 1\n", () -> rules, () -> view, cluster);
    server =
        new HttpServer(
            transport, totals, settings, new HttpBackend(limiter, clock, facts, metrics));
    address = server.start();
  }

  /** How often a bound was met. */
  int times(HttpBound bound) {
    AtomicInteger times = overflows.get(bound.text());
    return times == null ? 0 : times.get();
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
  }
}
