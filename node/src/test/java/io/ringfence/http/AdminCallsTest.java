package io.ringfence.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.algorithms.Decision;
import io.ringfence.engine.Certainty;
import io.ringfence.engine.LimitVerdict;
import io.ringfence.engine.LimitVerdict.Answer;
import io.ringfence.engine.Usage;
import io.ringfence.engine.Verdict;
import io.ringfence.http.ConfiguredRules.ConfiguredRule;
import io.ringfence.rules.Action;
import io.ringfence.rules.FailurePolicy;
import io.ringfence.rules.Match;
import io.ringfence.rules.Rule;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What gives back, resets, debits and looks into counters. */
class AdminCallsTest {
  private static final long RESET = ManualClock.START_MILLIS + 60_000;
  private static final Rule WRITE_API = Verdicts.plain("write-api", 0);
  private static final String BODY = "{\"key\":\"cust_42\",\"cost\":3}";

  private ServerFixture server;

  @BeforeEach
  void start() throws IOException {
    server = new ServerFixture();
    server.clock.set(17.25);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Response post(String call, Verdict verdict) throws IOException {
    server.limiter.answer(verdict);
    return server.ask(RawClient.post("/v1/" + call, BODY));
  }

  private static Verdict answered(Certainty certainty) {
    return Verdicts.of(
        certainty != Certainty.CLOSED,
        new LimitVerdict(
            WRITE_API,
            WRITE_API.effect().limits().get(0),
            certainty == Certainty.CLOSED
                ? new Answer(false, 100, 0, Decision.NEVER, Answer.NO_RESET, 0, certainty)
                : new Answer(true, 100, 43, 0, RESET, 0, certainty)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"refund", "reset", "debit"})
  void aChangeIsAnsweredLikeACheck(String call) throws IOException {
    Response response = post(call, answered(Certainty.RECOVERED));

    assertEquals(200, response.status());
    assertEquals(
        "{\"allowed\":true,\"limit\":100,\"remaining\":43,\"retry_after_ms\":0,"
            + "\"reset_at\":1767225660000,\"rule\":\"write-api\",\"certainty\":\"recovered\","
            + "\"owner\":\"n2\",\"limits\":[{\"rule\":\"write-api\",\"allowed\":true,"
            + "\"limit\":100,\"remaining\":43,\"retry_after_ms\":0,\"reset_at\":1767225660000}]}",
        response.body());
    assertEquals("43", response.header("ratelimit-remaining"));
    assertEquals("43", response.header("ratelimit-reset"));
    assertEquals("1767225660", response.header("x-ratelimit-reset"));
    assertEquals(List.of(call + " 3"), List.copyOf(server.limiter.changes));
  }

  @ParameterizedTest
  @ValueSource(strings = {"refund", "reset", "debit"})
  void whereNoRuleAppliesThereIsNothingToChange(String call) throws IOException {
    Response response = post(call, Verdicts.of(true));

    assertEquals(200, response.status());
    assertTrue(response.json().get("rule").isNull());
    assertTrue(response.json().get("remaining").isNull());
    assertNull(response.header("ratelimit-limit"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"refund", "reset", "debit"})
  void aWrongBodyNamesItsFieldAndChangesNothing(String call) throws IOException {
    for (String cost : List.of("-5", "0", "1.5", "null")) {
      Response response =
          server.ask(RawClient.post("/v1/" + call, "{\"key\":\"k\",\"cost\":" + cost + "}"));
      assertEquals(400, response.status());
      assertEquals("cost", response.json().get("field").asText());
    }
    assertEquals(0, server.limiter.asked.get());
  }

  @Test
  void aRefundByTheFailurePolicyIsDoneAndMarked() throws IOException {
    Response response = post("refund", answered(Certainty.DEGRADED));

    assertEquals(200, response.status());
    assertEquals("degraded", response.json().get("certainty").asText());
    assertEquals("100", response.header("ratelimit-limit"));
  }

  @ParameterizedTest
  @CsvSource({
    "refund, CLOSED, its charge may stand; asked again under one request_id",
    "reset, CLOSED, it may not be reset; ask again",
    "reset, DEGRADED, it may not be reset; ask again",
    "debit, CLOSED, it may not be charged; asked again under one request_id",
    "debit, DEGRADED, it may not be charged; asked again under one request_id",
  })
  void whatNoOwnerAnsweredIsReducedCapacity(String call, Certainty certainty, String detail)
      throws IOException {
    Response response = post(call, answered(certainty));

    assertEquals(503, response.status());
    assertEquals("application/problem+json", response.header("content-type"));
    assertEquals(VerdictJson.REDUCED_CAPACITY, response.json().get("type").asText());
    assertEquals(503, response.json().get("status").asInt());
    assertTrue(response.json().get("detail").asText().contains(detail), response.body());
    assertEquals(certainty.text(), response.json().get("certainty").asText());
    assertEquals("1", response.header("retry-after"));
    assertEquals(1, response.json().get("retry_after").asInt());
    assertEquals("100", response.header("ratelimit-limit"));
  }

  @ParameterizedTest
  @EnumSource(
      value = Certainty.class,
      names = {"DEGRADED", "CLOSED"})
  void checksAndPeeksTellHowSureTheyAre(Certainty certainty) throws IOException {
    boolean closed = certainty == Certainty.CLOSED;
    for (String call : List.of("check", "peek")) {
      Response response = post(call, answered(certainty));
      assertEquals(closed && call.equals("check") ? 503 : 200, response.status());
      assertEquals(certainty.text(), response.json().get("certainty").asText());
      assertEquals("100", response.header("ratelimit-limit"));
      assertEquals("100", response.header("x-ratelimit-limit"));
      assertEquals(closed ? "0" : "43", response.header("ratelimit-remaining"));
      assertEquals(closed && call.equals("check") ? "1" : null, response.header("retry-after"));
    }
  }

  @Test
  void usageTellsEveryLimitOfOneClient() throws IOException {
    Rule free = Verdicts.rule("free", 0, new Rule.Presentation(false, 429), "burst", "daily");
    Rule routes =
        new Rule(
            "routes",
            Match.ANY,
            List.of("client", "route"),
            new Rule.Order("client,route", 1, 0, 1),
            new Rule.Effect(
                Action.LIMIT,
                List.of(Verdicts.limit(7, null)),
                1,
                new Rule.Presentation(true, 429),
                FailurePolicy.DEFAULT));
    server.limiter.usage =
        new Usage(
            Certainty.DEGRADED,
            "n1",
            List.of(
                new Usage.Entry(
                    free,
                    free.effect().limits().get(1),
                    List.of("a b/é"),
                    new Answer(true, 100, 60, 0, RESET, 0, Certainty.DEGRADED)),
                new Usage.Entry(
                    routes,
                    routes.effect().limits().get(0),
                    List.of("a b/é", "GET /x"),
                    new Answer(false, 5, 0, 1_500_000, Answer.NO_RESET, 0, Certainty.EXACT))),
            true);
    Response response = server.ask(RawClient.get("/v1/usage/a%20b%2F%C3%A9?ignored=1"));

    assertEquals(200, response.status());
    assertEquals(
        "{\"client\":\"a b/é\",\"owner\":\"n1\",\"certainty\":\"degraded\",\"truncated\":true,"
            + "\"limits\":[{\"rule\":\"free\",\"name\":\"daily\",\"by\":{\"client\":\"a b/é\"},"
            + "\"used\":40,\"allowed\":true,\"limit\":100,\"remaining\":60,\"retry_after_ms\":0,"
            + "\"reset_at\":1767225660000},"
            + "{\"rule\":\"routes\",\"by\":{\"client\":\"a b/é\",\"route\":\"GET /x\"},"
            + "\"used\":5,\"allowed\":false,\"limit\":5,\"remaining\":0,\"retry_after_ms\":2,"
            + "\"reset_at\":null,\"shadow\":true}]}",
        response.body());
    assertEquals("a b/é", server.limiter.usedBy);
    assertNull(response.header("ratelimit-limit"));
  }

  @Test
  void aPlusInAPathIsAPlus() throws IOException {
    server.ask(RawClient.get("/v1/usage/a+b"));
    assertEquals("a+b", server.limiter.usedBy);
  }

  @ParameterizedTest
  @CsvSource({
    "'', 400",
    "%, 400",
    "%4, 400",
    "%zz, 400",
    "%ff, 400",
    "%ed%a0%80, 400",
    "a/b, 400",
    "/, 400",
  })
  void aBadClientIsNamed(String client, int status) throws IOException {
    Response response = server.ask(RawClient.get("/v1/usage/" + client));
    assertEquals(status, response.status());
    assertEquals("client", response.json().get("field").asText());
    assertTrue(response.json().get("detail").asText().startsWith("client "));
    assertNull(server.limiter.usedBy);
  }

  @Test
  void aClientOverTheBoundOfKeysIsTooLarge() throws IOException {
    assertEquals(200, server.ask(RawClient.get("/v1/usage/" + "x".repeat(256))).status());
    Response response = server.ask(RawClient.get("/v1/usage/" + "%c3%a9".repeat(129)));
    assertEquals(413, response.status());
    assertEquals("client", response.json().get("field").asText());
  }

  private static ConfiguredRule configured(String name, String... tiers) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", name);
    fields.put("limit", 100L);
    fields.put("shadow", true);
    fields.put("limits", List.of(Map.of("rate", "5/s")));
    return new ConfiguredRule(List.of(tiers), fields, 40);
  }

  private static String shown(String name) {
    return "{\"name\":\""
        + name
        + "\",\"limit\":100,\"shadow\":true,\"limits\":[{\"rate\":\"5/s\"}]}";
  }

  @Test
  void theRulesInForceAreShownByTier() throws IOException {
    server.rules =
        new ConfiguredRules(
            "5f2a",
            List.of(configured("a", "free", "pro max"), configured("b"), configured("c", "free")));

    Response all = server.ask(RawClient.get("/v1/limits"));
    assertEquals(200, all.status());
    assertEquals(
        "{\"version\":\"5f2a\",\"tiers\":{\"free\":["
            + shown("a")
            + ","
            + shown("c")
            + "],\"pro max\":["
            + shown("a")
            + "],\"*\":["
            + shown("b")
            + "]}}",
        all.body());
    assertEquals(
        "{\"version\":\"5f2a\",\"tier\":\"pro max\",\"rules\":[" + shown("a") + "]}",
        server.ask(RawClient.get("/v1/limits/pro%20max")).body());
    assertEquals(
        "{\"version\":\"5f2a\",\"tier\":\"*\",\"rules\":[" + shown("b") + "]}",
        server.ask(RawClient.get("/v1/limits/*")).body());
    for (String unknown : List.of("gold", "Free", "")) {
      assertEquals(404, server.ask(RawClient.get("/v1/limits/" + unknown)).status(), unknown);
    }
  }

  @Test
  void thePageOfAllTiersIsBoundedAndTellsTheWayOut() throws IOException {
    String[] tiers = new String[1_000];
    for (int i = 0; i < tiers.length; i++) {
      tiers[i] = "t" + i;
    }
    ConfiguredRule wide = configured("wide", tiers);
    server.rules =
        new ConfiguredRules("v", List.of(new ConfiguredRule(wide.tiers(), wide.fields(), 5_000)));

    Response refused = server.ask(RawClient.get("/v1/limits"));
    assertEquals(503, refused.status());
    assertTrue(refused.json().get("detail").asText().contains("/v1/limits/{tier}"));
    assertEquals("1", String.valueOf(server.overflows.get(HttpBound.LIMITS_PAGE.text())));
    assertEquals(200, server.ask(RawClient.get("/v1/limits/t999")).status());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v1/limits", "/v1/limits/free", "/v1/usage/c"})
  void whatIsReadIsNotWritten(String path) throws IOException {
    for (String method : List.of("PUT", "DELETE", "POST", "PATCH")) {
      Response response =
          server.ask(method + " " + path + " HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}");
      assertEquals(405, response.status());
      assertEquals("GET, HEAD", response.header("allow"));
    }
    assertFalse(server.ask(RawClient.get(path)).status() == 405);
  }
}
