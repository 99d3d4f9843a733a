package io.ringfence.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.ringfence.http.ConfiguredRules.ConfiguredRule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Which calls are served where, and to whom. */
class AdminAccessTest {
  private static final String SECRET = "correct-horse-battery-staple";
  private static final AdminToken TOKEN = AdminToken.of(SECRET.getBytes(StandardCharsets.US_ASCII));

  private static ServerFixture serving(Access access) throws IOException {
    ServerFixture server = new ServerFixture(HttpLimits.DEFAULT, access);
    ConfiguredRule free = new ConfiguredRule(List.of("free"), Map.of("name", "free"), 8);
    server.rules = new ConfiguredRules("v1", List.of(free));
    return server;
  }

  private static String request(Endpoint endpoint, String... headers) {
    String path = endpoint.path().replaceAll("\\{.*}", "free");
    String body = endpoint.readsBody() ? "{\"key\":\"k\"}" : "";
    if (endpoint == Endpoint.CHECKS) {
      body = "{\"checks\":[" + body + "]}";
    }
    if (endpoint == Endpoint.MEMBER) {
      body = "{\"weight\":2}";
    }
    if (endpoint == Endpoint.OWNER) {
      path += "?key=k";
    }
    StringBuilder head = new StringBuilder(endpoint.allow().replace(", HEAD", "")).append(' ');
    head.append(path).append(" HTTP/1.1\r\nContent-Length: ").append(body.length()).append("\r\n");
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    return head.append("\r\n").append(body).toString();
  }

  private static boolean served(ServerFixture server, Endpoint endpoint) throws IOException {
    return server.ask(request(endpoint)).status() != 404;
  }

  @ParameterizedTest
  @EnumSource(Endpoint.class)
  void anAddressServesItsCallsAndNoOthers(Endpoint endpoint) throws IOException {
    try (ServerFixture callers = serving(Access.callers());
        ServerFixture operators = serving(Access.operators(null));
        ServerFixture everybody = serving(Access.everybody(null))) {
      assertEquals(endpoint.group() != CallGroup.ADMIN, served(callers, endpoint));
      assertEquals(endpoint.group() != CallGroup.CHECKS, served(operators, endpoint));
      assertTrue(served(everybody, endpoint));
    }
  }

  @Test
  void theGroupsAreAsDocumented() {
    EnumSet<Endpoint> status = EnumSet.noneOf(Endpoint.class);
    EnumSet<Endpoint> admin = EnumSet.noneOf(Endpoint.class);
    for (Endpoint endpoint : Endpoint.values()) {
      switch (endpoint.group()) {
        case STATUS -> status.add(endpoint);
        case ADMIN -> admin.add(endpoint);
        case CHECKS -> {}
      }
    }
    assertEquals(
        EnumSet.of(Endpoint.CLUSTER, Endpoint.LIVE, Endpoint.READY, Endpoint.METRICS), status);
    assertEquals(
        EnumSet.of(
            Endpoint.RESET,
            Endpoint.DEBIT,
            Endpoint.PROMOTE,
            Endpoint.DRAIN,
            Endpoint.MEMBER,
            Endpoint.USAGE,
            Endpoint.LIMITS,
            Endpoint.TIER),
        admin);
  }

  @ParameterizedTest
  @EnumSource(Endpoint.class)
  void onlyAdminCallsNeedTheToken(Endpoint endpoint) throws IOException {
    boolean admin = endpoint.group() == CallGroup.ADMIN;
    try (ServerFixture server = serving(Access.everybody(TOKEN))) {
      Response without = server.ask(request(endpoint));
      assertEquals(admin, without.status() == 401, without.body());
      if (admin) {
        assertEquals("Bearer", without.header("www-authenticate"));
        assertEquals("application/problem+json", without.header("content-type"));
        assertEquals(401, without.json().get("status").asInt());
        assertEquals(0, server.limiter.asked.get());
      }
      Response with = server.ask(request(endpoint, "Authorization: Bearer " + SECRET));
      assertFalse(with.status() == 401);
      assertEquals(
          admin ? "1" : "null", String.valueOf(server.overflows.get(HttpBound.ADMIN_TOKEN.text())));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Authorization: Bearer",
        "Authorization: Bearer ",
        "Authorization: Bearer correct-horse-battery-stapl",
        "Authorization: Bearer correct-horse-battery-staplex",
        "Authorization: Bearer Correct-horse-battery-staple",
        "Authorization: Bearer correct-horse-battery-staple,",
        "Authorization: Basic correct-horse-battery-staple",
        "Authorization: correct-horse-battery-staple",
        "Authorization: Bearercorrect-horse-battery-staple",
        "X-Authorization: Bearer correct-horse-battery-staple",
        "Authorization: Bearer x\r\nAuthorization: Bearer correct-horse-battery-staple",
        "Authorization: Bearer correct-horse-battery-staple\r\nAuthorization: Bearer x",
      })
  void whatIsNotTheTokenIsRefused(String header) throws IOException {
    try (ServerFixture server = serving(Access.operators(TOKEN))) {
      Response response = server.ask(request(Endpoint.RESET, header));
      assertEquals(401, response.status());
      assertFalse((response.headers() + response.body()).contains("horse"));
      assertEquals(0, server.limiter.asked.get());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Bearer ", "bearer ", "BEARER   "})
  void theSchemeIsReadInAnyCase(String scheme) throws IOException {
    try (ServerFixture server = serving(Access.operators(TOKEN))) {
      String header = "authorization: " + scheme + SECRET + "  ";
      assertEquals(200, server.ask(request(Endpoint.RESET, header)).status());
      assertEquals(List.of("reset 1"), List.copyOf(server.limiter.changes));
    }
  }

  @Test
  void aRefusedCallCostsNotTheConnection() throws IOException {
    try (ServerFixture server = serving(Access.everybody(TOKEN));
        RawClient client = server.connect()) {
      client.send(request(Endpoint.DEBIT) + request(Endpoint.CHECK) + request(Endpoint.LIMITS));
      assertEquals(401, client.read().status());
      assertEquals(200, client.read().status());
      Response last = client.read();
      assertEquals(401, last.status());
      assertNull(last.header("connection"));
    }
  }

  @Test
  void refusalsAreLoggedOnceAMinuteWithTheirNumberAndNeverWithTheToken() throws IOException {
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    Logger log = (Logger) LoggerFactory.getLogger(AdminGate.class);
    lines.start();
    log.addAppender(lines);
    try (ServerFixture server = serving(Access.operators(TOKEN))) {
      String wrong = request(Endpoint.RESET, "Authorization: Bearer wrong-horse");
      for (int i = 0; i < 3; i++) {
        server.ask(wrong);
      }
      assertEquals(1, lines.list.size());
      server.clock.advanceNanos(AdminGate.LOG_INTERVAL_NANOS - 1);
      server.ask(wrong);
      assertEquals(1, lines.list.size());
      server.clock.advanceNanos(1);
      server.ask(wrong);
      assertEquals(2, lines.list.size());
      assertTrue(lines.list.get(0).getFormattedMessage().startsWith("1 admin calls"));
      String second = lines.list.get(1).getFormattedMessage();
      assertTrue(second.startsWith("4 admin calls") && second.contains("/v1/reset"), second);
      assertFalse(lines.list.toString().contains("horse"));
      assertEquals("5", String.valueOf(server.overflows.get(HttpBound.ADMIN_TOKEN.text())));
    } finally {
      log.detachAppender(lines);
    }
  }

  @Test
  void theTokenHasNoText() {
    assertEquals("AdminToken[***]", TOKEN.toString());
    assertEquals("AdminToken[***]", Access.everybody(TOKEN).token() + "");
  }
}
