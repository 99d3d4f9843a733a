package io.ringfence.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.algorithms.Decision;
import io.ringfence.engine.Certainty;
import io.ringfence.engine.LimitVerdict;
import io.ringfence.engine.LimitVerdict.Answer;
import io.ringfence.engine.Verdict;
import io.ringfence.rules.Action;
import io.ringfence.rules.Rule;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Verdicts as they are worded: body, status and headers to the letter. */
class CheckResponseTest {
  private static final long RESET = ManualClock.START_MILLIS + 60_000;
  private static final Rule WRITE_API = Verdicts.plain("write-api", 0);

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

  private Response check(Verdict verdict) throws IOException {
    server.limiter.answer(verdict);
    return server.check("{\"key\":\"cust_42\"}");
  }

  @Test
  void anAllowedCheckTellsItsBudgetInBodyAndHeaders() throws IOException {
    Response response = check(Verdicts.of(true, Verdicts.passes(WRITE_API, 100, 99, RESET)));

    assertEquals(200, response.status());
    assertEquals(
        "{\"allowed\":true,\"limit\":100,\"remaining\":99,\"retry_after_ms\":0,"
            + "\"reset_at\":1767225660000,\"rule\":\"write-api\",\"certainty\":\"exact\","
            + "\"owner\":\"n2\",\"limits\":[{\"rule\":\"write-api\",\"allowed\":true,"
            + "\"limit\":100,\"remaining\":99,\"retry_after_ms\":0,\"reset_at\":1767225660000}]}",
        response.body());
    assertEquals(
        List.of(
            "date: Thu, 01 Jan 2026 00:00:17 GMT",
            "content-type: application/json",
            "content-length: " + response.body().length(),
            "cache-control: no-store",
            "RateLimit-Limit: 100",
            "RateLimit-Remaining: 99",
            "RateLimit-Reset: 43",
            "X-RateLimit-Limit: 100",
            "X-RateLimit-Remaining: 99",
            "X-RateLimit-Reset: 1767225660"),
        response.headers());
  }

  @Test
  void aDenialIsAProblemWithTheResultBesideIt() throws IOException {
    Response response =
        check(Verdicts.of(false, Verdicts.denies(WRITE_API, 100, 42_750_000_000L, RESET)));

    assertEquals(429, response.status());
    assertEquals(
        "{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
            + "\"title\":\"Quota exceeded\",\"status\":429,\"policy\":\"write-api\","
            + "\"window\":\"60s\",\"retry_after\":43,"
            + "\"allowed\":false,\"limit\":100,\"remaining\":0,\"retry_after_ms\":42750,"
            + "\"reset_at\":1767225660000,\"rule\":\"write-api\",\"certainty\":\"exact\","
            + "\"owner\":\"n2\",\"limits\":[{\"rule\":\"write-api\",\"allowed\":false,"
            + "\"limit\":100,\"remaining\":0,\"retry_after_ms\":42750,"
            + "\"reset_at\":1767225660000}]}",
        response.body());
    assertEquals("application/problem+json", response.header("content-type"));
    assertEquals("no-store", response.header("cache-control"));
    assertEquals("43", response.header("retry-after"));
    assertEquals("43", response.header("ratelimit-reset"));
    assertEquals("0", response.header("ratelimit-remaining"));
    assertEquals("1767225660", response.header("x-ratelimit-reset"));
  }

  @Test
  void C32_theReplyNamesTheLimitThatDenied() throws IOException {
    Rule items = Verdicts.plain("items", 0);
    Rule user = Verdicts.plain("user", 1);
    Rule root = Verdicts.plain("root", 2);
    Response response =
        check(
            Verdicts.of(
                false,
                Verdicts.denies(items, 1, 42_750_000_000L, RESET),
                Verdicts.passes(user, 5, 4, RESET),
                Verdicts.passes(root, 9, 8, RESET)));

    assertEquals(429, response.status());
    assertEquals("items", response.json().get("rule").asText());
    assertEquals("items", response.json().get("policy").asText());
    assertEquals(4, response.json().get("limits").get(1).get("remaining").asInt());
    assertEquals(8, response.json().get("limits").get(2).get("remaining").asInt());
    assertEquals("1", response.header("ratelimit-limit"));
  }

  @Test
  void theTightestLimitDescribesAPass() throws IOException {
    Response response =
        check(
            Verdicts.of(
                true,
                Verdicts.passes(Verdicts.plain("wide", 0), 1_000, 900, RESET),
                Verdicts.passes(Verdicts.plain("tight", 1), 10, 1, RESET)));

    assertEquals("tight", response.json().get("rule").asText());
    assertEquals("10", response.header("ratelimit-limit"));
    assertEquals("1", response.header("x-ratelimit-remaining"));
  }

  @Test
  void aRuleOfSeveralLimitsNamesTheOneThatDenied() throws IOException {
    Rule free = Verdicts.rule("free", 0, new Rule.Presentation(false, 429), "burst", "daily");
    LimitVerdict daily =
        new LimitVerdict(
            free,
            free.effect().limits().get(1),
            new Answer(false, 10_000, 0, 1, RESET, 0, Certainty.RECOVERED));
    Response response = check(Verdicts.of(false, Verdicts.passes(free, 10, 9, RESET), daily));

    assertEquals("free", response.json().get("rule").asText());
    assertEquals("free/daily", response.json().get("policy").asText());
    assertEquals("burst", response.json().get("limits").get(0).get("name").asText());
    assertEquals("daily", response.json().get("limits").get(1).get("name").asText());
    assertEquals("recovered", response.json().get("certainty").asText());
    // One nanosecond is still a wait.
    assertEquals(1, response.json().get("retry_after_ms").asLong());
    assertEquals("1", response.header("retry-after"));
  }

  @Test
  void noRuleAppliesIsAPassWithoutNumbers() throws IOException {
    Response response = check(Verdicts.of(true));

    assertEquals(200, response.status());
    assertEquals(
        "{\"allowed\":true,\"limit\":null,\"remaining\":null,\"retry_after_ms\":0,"
            + "\"reset_at\":null,\"rule\":null,\"certainty\":\"exact\",\"owner\":null,"
            + "\"limits\":[]}",
        response.body());
    assertTrue(response.headers().stream().noneMatch(h -> h.contains("RateLimit")));
  }

  @Test
  void anExemptRuleIsNamed() throws IOException {
    Rule probes =
        Verdicts.rule("probes", 0, new Rule.Presentation(false, 429), List.of(), Action.EXEMPT);
    Response response = check(Verdicts.shortcut(true, probes));

    assertEquals(200, response.status());
    assertEquals("probes", response.json().get("rule").asText());
    assertTrue(response.json().get("limit").isNull());
    assertEquals(0, response.json().get("retry_after_ms").asLong());
    assertNull(response.header("ratelimit-limit"));
  }

  @Test
  void aDenyRuleRefusesForGood() throws IOException {
    Rule banned =
        Verdicts.rule("banned", 0, new Rule.Presentation(false, 429), List.of(), Action.DENY);
    Response response = check(Verdicts.shortcut(false, banned));

    assertEquals(429, response.status());
    assertEquals("banned", response.json().get("policy").asText());
    assertTrue(response.json().get("retry_after").isNull());
    assertTrue(response.json().get("retry_after_ms").isNull());
    assertNull(response.header("retry-after"));
  }

  @Test
  void neverHasNoRetryAfter() throws IOException {
    Response response =
        check(Verdicts.of(false, Verdicts.denies(WRITE_API, 100, Decision.NEVER, RESET)));

    assertEquals(429, response.status());
    assertTrue(response.json().get("retry_after_ms").isNull());
    assertTrue(response.json().get("retry_after").isNull());
    assertTrue(response.json().get("limits").get(0).get("retry_after_ms").isNull());
    assertNull(response.header("retry-after"));
    assertEquals("43", response.header("ratelimit-reset"));
  }

  @Test
  void aClosedRuleIsReducedCapacityAndNotAQuota() throws IOException {
    Response response = check(Verdicts.of(false, Verdicts.closed(WRITE_API)));

    assertEquals(503, response.status());
    assertEquals(VerdictJson.REDUCED_CAPACITY, response.json().get("type").asText());
    assertEquals("closed", response.json().get("certainty").asText());
    assertFalse(response.json().get("allowed").asBoolean());
    assertEquals("1", response.header("retry-after"));
    assertEquals(1_000, response.json().get("retry_after_ms").asLong());
    assertNull(response.header("ratelimit-reset"));
    assertNull(response.header("x-ratelimit-reset"));
    assertEquals("no-store", response.header("cache-control"));
  }

  @Test
  void aCeilingAnswersWithItsOwnStatus() throws IOException {
    Rule ceiling = Verdicts.rule("ceiling", 0, new Rule.Presentation(false, 503), (String) null);
    Response response =
        check(Verdicts.of(false, Verdicts.denies(ceiling, 100, 2_000_000_001L, RESET)));

    assertEquals(503, response.status());
    assertEquals(VerdictJson.REDUCED_CAPACITY, response.json().get("type").asText());
    assertEquals("exact", response.json().get("certainty").asText());
    assertEquals("3", response.header("retry-after"));
  }

  @Test
  void shadowLimitsAreShownAndDescribeNothing() throws IOException {
    Rule shadow = Verdicts.rule("trial", 0, new Rule.Presentation(true, 429), (String) null);
    Response response =
        check(
            Verdicts.of(
                true,
                Verdicts.denies(shadow, 1, 5_000_000_000L, RESET),
                Verdicts.passes(WRITE_API, 100, 99, RESET)));

    assertEquals(200, response.status());
    assertEquals("write-api", response.json().get("rule").asText());
    assertTrue(response.json().get("limits").get(0).get("shadow").asBoolean());
    assertFalse(response.json().get("limits").get(0).get("allowed").asBoolean());
    assertFalse(response.json().get("limits").get(1).has("shadow"));
  }

  @Test
  void aDelayIsToldRoundedUp() throws IOException {
    LimitVerdict queued =
        new LimitVerdict(
            WRITE_API,
            WRITE_API.effect().limits().get(0),
            new Answer(true, 5, 3, 0, RESET, 1_000_001, Certainty.EXACT));
    Response response = check(Verdicts.of(true, queued));

    assertEquals(2, response.json().get("delay_ms").asLong());
    assertEquals(2, response.json().get("limits").get(0).get("delay_ms").asLong());
  }

  @Test
  void resetIsNeverBelowRetryAfterOnADenial() throws IOException {
    Response response =
        check(Verdicts.of(false, Verdicts.denies(WRITE_API, 100, 90_000_000_000L, RESET)));

    assertEquals("90", response.header("retry-after"));
    assertEquals("90", response.header("ratelimit-reset"));
    assertEquals("1767225660", response.header("x-ratelimit-reset"));
  }

  @Test
  void aResetThatHasPassedIsZeroSecondsAway() throws IOException {
    server.clock.set(61);
    Response response = check(Verdicts.of(true, Verdicts.passes(WRITE_API, 100, 100, RESET)));

    assertEquals("0", response.header("ratelimit-reset"));
  }

  @Test
  void aPeekIsAlways200() throws IOException {
    server.limiter.answer(
        Verdicts.of(false, Verdicts.denies(WRITE_API, 100, 42_750_000_000L, RESET)));
    Response response = server.ask(RawClient.post("/v1/peek", "{\"key\":\"cust_42\",\"cost\":3}"));

    assertEquals(200, response.status());
    assertEquals("application/json", response.header("content-type"));
    assertFalse(response.json().get("allowed").asBoolean());
    assertFalse(response.json().has("type"));
    assertEquals(42_750, response.json().get("retry_after_ms").asLong());
    assertNull(response.header("retry-after"));
    assertEquals("100", response.header("ratelimit-limit"));
    assertEquals(3, server.limiter.peeks.element().cost());
    assertEquals(0, server.limiter.asked.get());
  }

  @Test
  void noKeyIsInWhatIsAnswered() throws IOException {
    server.limiter.answer(
        Verdicts.of(false, Verdicts.denies(WRITE_API, 100, 42_750_000_000L, RESET)));
    Response response =
        server.check(
            "{\"key\":\"s3cret-k3y\",\"tier\":\"s3cret-t13r\",\"route\":\"GET /s3cret-path\","
                + "\"attributes\":{\"api_key\":\"s3cret-v4lue\"}}");

    assertEquals(429, response.status());
    assertFalse((response.headers() + response.body()).contains("s3cret"));
  }
}
