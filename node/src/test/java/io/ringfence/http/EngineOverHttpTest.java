package io.ringfence.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringfence.config.ConfigException;
import io.ringfence.config.RulesFile;
import io.ringfence.engine.BoundsSettings;
import io.ringfence.engine.Engine;
import io.ringfence.engine.EngineMetrics;
import io.ringfence.engine.EnginePorts;
import io.ringfence.engine.EngineSettings;
import io.ringfence.engine.ForwardSettings;
import io.ringfence.engine.ReplicationSettings;
import io.ringfence.membership.Address;
import io.ringfence.membership.Lineage;
import io.ringfence.membership.Member;
import io.ringfence.membership.MemberId;
import io.ringfence.membership.MemberState;
import io.ringfence.membership.View;
import io.ringfence.membership.ViewName;
import io.ringfence.ring.RingSettings;
import io.ringfence.rules.RuleSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls over the wire that a real engine answers, on a virtual clock. */
class EngineOverHttpTest {
  private static final String FIXED =
      "rules: [{name: fw, by: client, algorithm: fixed-window, limit: %d, window: 60s}]";

  private final ManualClock clock = new ManualClock();
  private final List<HttpServer> servers = new ArrayList<>();
  private Address address = new Address("127.0.0.1", 0);

  @AfterEach
  void stop() {
    servers.forEach(HttpServer::close);
  }

  /** An engine alone in its view, which owns every counter. */
  private void serve(String rules) throws IOException {
    serve(engine(rules, true));
  }

  /** An engine in no view, which answers by the failure policies of its rules. */
  private void serveWithoutView(String rules) throws IOException {
    serve(engine(rules, false));
  }

  private void serve(Engine engine) throws IOException {
    NodeFacts facts =
        new NodeFacts(
            List::of,
            () -> "",
            () -> new ConfiguredRules("v1", List.of()),
            () -> ViewFacts.NONE,
            new ScriptedCluster());
    HttpSettings standard = HttpSettings.of(address);
    HttpSettings settings =
        new HttpSettings(
            address,
            standard.bounds(),
            standard.limits(),
            standard.dialects(),
            Access.everybody(null));
    HttpServer server =
        new HttpServer(settings, new HttpBackend(engine, clock, facts, HttpMetrics.NONE));
    servers.add(server);
    address = server.start();
  }

  private Engine engine(String yaml, boolean inView) {
    MemberId self = new MemberId("n1", 1);
    EngineSettings settings =
        new EngineSettings(
            self,
            new RingSettings(256, 256, 11, 12),
            ForwardSettings.DEFAULT,
            ReplicationSettings.DEFAULT,
            BoundsSettings.DEFAULT);
    EnginePorts ports =
        new EnginePorts(
            clock,
            (delayNanos, task) -> {},
            (to, message) -> false,
            EngineMetrics.NONE,
            now -> true);
    Engine engine = new Engine(settings, rules(yaml), ports);
    if (inView) {
      Address nowhere = new Address("127.0.0.1", 7101);
      Member alone = new Member(self, nowhere, nowhere, 1, MemberState.ACTIVE, true);
      engine.install(new View(new Lineage(1, 7), new ViewName(1, 0), List.of(alone), true));
    }
    return engine;
  }

  private static RuleSet rules(String yaml) {
    try {
      return RulesFile.parse("rules.yaml", yaml.getBytes(StandardCharsets.UTF_8)).rules();
    } catch (ConfigException e) {
      throw new AssertionError(e.getMessage(), e);
    }
  }

  private Response ask(String request) throws IOException {
    try (RawClient client = new RawClient(address)) {
      return client.send(request).read();
    }
  }

  private Response post(String call, String key, long cost) throws IOException {
    return post(call, "{\"key\":\"" + key + "\",\"cost\":" + cost + "}");
  }

  private Response post(String call, String body) throws IOException {
    return ask(RawClient.post("/v1/" + call, body));
  }

  private static long remaining(Response response) {
    assertEquals(200, response.status(), response.body());
    assertEquals(response.json().get("remaining").asText(), response.header("ratelimit-remaining"));
    return response.json().get("remaining").asLong();
  }

  @Test
  void C34_aRefundGivesBackAtZeroAndNeverAboveTheLimit() throws IOException {
    serve(FIXED.formatted(10));
    clock.set(1);
    assertEquals(0, remaining(post("check", "k", 10)));
    clock.set(2);
    Response denied = post("check", "k", 1);
    assertEquals(429, denied.status());
    assertEquals("58", denied.header("retry-after"));
    clock.set(3);
    assertEquals(1, remaining(post("refund", "k", 1)));
    clock.set(4);
    assertEquals(0, remaining(post("check", "k", 1)));
    clock.set(5);
    assertEquals(10, remaining(post("refund", "k", 50)));
    for (String call : List.of("check", "refund")) {
      Response invalid = post(call, "k", -5);
      assertEquals(400, invalid.status());
      assertEquals("cost", invalid.json().get("field").asText());
    }
    assertEquals(10, remaining(post("peek", "k", 1)));
    clock.set(61);
    assertEquals(10, remaining(post("refund", "k", 3)));
    assertEquals(10, remaining(post("peek", "k", 1)));
  }

  @Test
  void C36_repeatsInABatchActLikeTheSameChecksInSequence() throws IOException {
    serve(FIXED.formatted(5));
    Response response =
        post(
            "checks",
            "{\"checks\":[{\"key\":\"k\",\"cost\":3},{\"key\":\"k\",\"cost\":3},"
                + "{\"key\":\"other\",\"cost\":4},{\"key\":\"k\",\"cost\":2},"
                + "{\"key\":\"k\",\"cost\":-1},{\"key\":\"k\",\"cost\":1}]}");

    List<String> results = new ArrayList<>();
    for (JsonNode result : response.json().get("results")) {
      results.add(
          result.has("error")
              ? result.get("error").get("field").asText()
              : result.get("allowed") + " " + result.get("remaining"));
    }
    assertEquals(List.of("true 2", "false 2", "true 1", "true 0", "cost", "false 0"), results);
  }

  @Test
  void A9_aRepeatGetsTheFirstAnswerAndChargesNothing() throws IOException {
    serve(FIXED.formatted(10));
    String named = "{\"key\":\"k\",\"cost\":4,\"request_id\":\"r1\"}";
    String first = post("check", named).body();
    assertEquals(first, post("check", named).body());
    assertEquals(
        first,
        post("checks", "{\"checks\":[" + named + "]}").json().get("results").get(0).toString());
    assertEquals(6, remaining(post("peek", "k", 1)));
    post("refund", named);
    post("refund", named);
    assertEquals(10, remaining(post("peek", "k", 1)));
    post("debit", named);
    post("debit", named);
    assertEquals(6, remaining(post("peek", "k", 1)));
  }

  @Test
  void aResetMakesAsGoodAsNewAndADebitChargesWhetherItFitsOrNot() throws IOException {
    serve(FIXED.formatted(10));
    assertEquals(3, remaining(post("debit", "k", 7)));
    assertEquals(0, remaining(post("debit", "k", 7)));
    assertEquals(429, post("check", "k", 1).status());
    assertEquals(10, remaining(post("reset", "k", 1)));
    assertEquals(9, remaining(post("check", "k", 1)));
    assertEquals(10, remaining(post("peek", "other", 1)));
  }

  @Test
  void usageConsumesNothing() throws IOException {
    serve(
        """
        rules:
          - name: free
            by: client
            limits: [{name: burst, algorithm: fixed-window, limit: 10, window: 60s}, {name: day, rate: 100/day}]
          - {name: writes, by: [client, route], match: {route: "POST /**"}, rate: 5/hour}
          - {name: all, by: global, rate: 1000/day}
        """);
    post("check", "{\"key\":\"a/b\",\"cost\":4,\"route\":\"POST /x\"}");
    JsonNode first = ask(RawClient.get("/v1/usage/a%2Fb")).json();
    JsonNode second = ask(RawClient.get("/v1/usage/a%2Fb")).json();

    assertEquals(first, second);
    assertEquals("a/b", first.get("client").asText());
    assertEquals("n1", first.get("owner").asText());
    assertEquals("exact", first.get("certainty").asText());
    assertFalse(first.get("truncated").asBoolean());
    List<String> limits = new ArrayList<>();
    for (JsonNode limit : first.get("limits")) {
      limits.add(
          limit.get("rule").asText()
              + (limit.has("name") ? "/" + limit.get("name").asText() : "")
              + limit.get("by")
              + limit.get("used")
              + "+"
              + limit.get("remaining")
              + "="
              + limit.get("limit"));
    }
    limits.sort(null);
    assertEquals(
        List.of(
            "free/burst{\"client\":\"a/b\"}4+6=10",
            "free/day{\"client\":\"a/b\"}4+96=100",
            "writes{\"client\":\"a/b\",\"route\":\"POST /**\"}4+1=5"),
        limits);
  }

  @Test
  void whereNoRuleAppliesEveryCallSaysSo() throws IOException {
    serve("rules: [{name: ip, by: ip, rate: 5/hour}]");
    for (String call : List.of("check", "peek", "refund", "reset", "debit")) {
      Response response = post(call, "k", 1);
      assertEquals(200, response.status());
      assertTrue(response.json().get("rule").isNull());
      assertTrue(response.json().get("remaining").isNull());
      assertNull(response.header("ratelimit-limit"));
    }
    assertEquals(0, ask(RawClient.get("/v1/usage/k")).json().get("limits").size());
  }

  @ParameterizedTest
  @CsvSource({
    "check, 200",
    "peek, 200",
    "refund, 200",
    "reset, 503",
    "debit, 503",
  })
  void F1_withoutAnOwnerTheFailurePolicyAnswersOnEveryPath(String call, int status)
      throws IOException {
    serveWithoutView(FIXED.formatted(50));
    Response response = post(call, "k", 1);

    assertEquals(status, response.status(), response.body());
    assertEquals("degraded", response.json().get("certainty").asText());
    assertFalse(response.header("ratelimit-limit") == null);
    assertFalse(response.header("x-ratelimit-remaining") == null);
    assertEquals(status == 503 ? "1" : null, response.header("retry-after"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"check", "peek", "refund", "reset", "debit"})
  void F3_aRuleThatRefusesRatherThanGuessesIsReducedCapacity(String call) throws IOException {
    serveWithoutView("rules: [{name: fw, by: client, rate: 50/minute, on_unavailable: closed}]");
    Response response = post(call, "k", 1);

    boolean peek = call.equals("peek");
    assertEquals(peek ? 200 : 503, response.status(), response.body());
    assertFalse(response.json().get("allowed").asBoolean());
    assertEquals("closed", response.json().get("certainty").asText());
    assertEquals(peek ? null : "1", response.header("retry-after"));
    assertEquals("50", response.header("ratelimit-limit"));
    assertEquals(peek, response.json().get("type") == null);
  }

  @Test
  void F1_aBulkCallWithoutOwnersHasTheAnswersOfTheFailurePolicies() throws IOException {
    serveWithoutView(
        """
        rules:
          - {name: guess, by: client, rate: 100/minute, match: {tier: guess}}
          - {name: refuse, by: client, rate: 50/minute, match: {tier: refuse}, on_unavailable: closed}
          - {name: open, by: client, rate: 50/minute, match: {tier: open}, on_unavailable: open}
        """);
    Response response =
        post(
            "checks",
            "{\"checks\":[{\"key\":\"k\",\"tier\":\"guess\"},{\"key\":\"k\",\"tier\":\"refuse\"},"
                + "{\"key\":\"k\",\"tier\":\"open\"},{\"key\":\"k\"}]}");

    assertEquals(200, response.status());
    List<String> results = new ArrayList<>();
    for (JsonNode result : response.json().get("results")) {
      results.add(
          result.get("allowed")
              + " "
              + result.get("certainty").asText()
              + " "
              + result.get("status"));
    }
    assertEquals(
        List.of("true degraded null", "false closed 503", "true degraded null", "true exact null"),
        results);
  }
}
