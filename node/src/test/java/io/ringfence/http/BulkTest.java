package io.ringfence.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringfence.algorithms.Algorithm;
import io.ringfence.algorithms.Kind;
import io.ringfence.engine.BoundsSettings;
import io.ringfence.engine.Check;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A bulk call is the same checks one after another, and an item's mistake is its own. */
class BulkTest {
  private static final long RESET = ManualClock.START_MILLIS + 60_000;

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

  private Response bulk(String... items) throws IOException {
    return ask("{\"checks\":[" + String.join(",", items) + "]}");
  }

  private Response ask(String body) throws IOException {
    return server.ask(RawClient.post("/v1/checks", body));
  }

  private static String item(String key, long cost) {
    return "{\"key\":\"" + key + "\",\"cost\":" + cost + "}";
  }

  private static List<JsonNode> results(Response response) {
    assertEquals(200, response.status(), response.body());
    assertEquals("application/json", response.header("content-type"));
    return StreamSupport.stream(response.json().get("results").spliterator(), false).toList();
  }

  /** Every key has a fixed window of 5 in 60 s, as a real algorithm counts it. */
  private void fiveAMinute() {
    Map<String, SingleCounter> counters = new ConcurrentHashMap<>();
    Algorithm five = Algorithm.of(Kind.FIXED_WINDOW, 5, 60_000_000_000L, 0);
    server.limiter.script =
        (check, listener) ->
            listener.verdict(
                counters
                    .computeIfAbsent(
                        check.request().client(), key -> new SingleCounter(five, server.clock))
                    .charge(check.cost()));
  }

  @Test
  void C36_repeatsInABatchActLikeTheSameChecksInSequence() throws IOException {
    fiveAMinute();
    List<JsonNode> results =
        results(
            bulk(
                item("k", 3),
                item("k", 3),
                item("other", 4),
                item("k", 2),
                item("k", -1),
                item("k", 1)));

    assertEquals(
        List.of("true 2", "false 2", "true 1", "true 0", "error", "false 0"),
        results.stream()
            .map(
                result ->
                    result.has("error")
                        ? "error"
                        : result.get("allowed") + " " + result.get("remaining"))
            .toList());
    assertEquals(429, results.get(1).get("status").asInt());
    assertFalse(results.get(0).has("status"));
    JsonNode error = results.get(4).get("error");
    assertEquals(400, error.get("status").asInt());
    assertEquals("cost", error.get("field").asText());
    assertTrue(error.get("detail").asText().contains("1 to 1000000000000"));
    assertEquals(5, server.limiter.asked.get(), "the wrong item is not asked");
  }

  @Test
  void aResultIsTheBodyThatTheCheckAloneWouldHave() throws IOException {
    server.limiter.script =
        (check, listener) ->
            listener.verdict(
                switch (check.request().client()) {
                  case "passes" ->
                      Verdicts.of(true, Verdicts.passes(Verdicts.plain("r", 0), 100, 99, RESET));
                  case "denied" ->
                      Verdicts.of(
                          false, Verdicts.denies(Verdicts.plain("r", 0), 100, 1_500_000L, RESET));
                  case "closed" -> Verdicts.of(false, Verdicts.closed(Verdicts.plain("r", 0)));
                  default -> Verdicts.of(true);
                });
    List<String> keys = List.of("passes", "denied", "closed", "unmatched");
    StringBuilder alone = new StringBuilder();
    for (String key : keys) {
      alone.append(alone.isEmpty() ? "" : ",").append(server.check(item(key, 1)).body());
    }
    Response together = bulk(keys.stream().map(key -> item(key, 1)).toArray(String[]::new));

    assertEquals("{\"results\":[" + alone + "]}", together.body());
    assertEquals(503, together.json().get("results").get(2).get("status").asInt());
    assertNull(together.header("retry-after"));
    assertNull(together.header("ratelimit-limit"));
  }

  @Test
  void everyFieldOfAnItemIsPassedOn() throws IOException {
    bulk(
        "{\"key\":\"c\",\"route\":\"GET /x\",\"cost\":7,\"tier\":\"free\",\"request_id\":\"r-9\","
            + "\"attributes\":{\"ip\":\"::ffff:192.0.2.1\"}}");
    Check check = server.limiter.last;
    assertNotNull(check);
    assertEquals("r-9", check.requestId());
    assertEquals(7, check.cost());
    assertEquals("free", check.request().tier());
    assertEquals("/x", check.request().path());
    assertEquals(Map.of("ip", "192.0.2.1"), check.request().attributes());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "checks[1]|400|5",
        "checks[1]|400|null",
        "checks[1]|400|\"k\"",
        "checks[1]|400|[]",
        "checks[1]|400|[{\"key\":\"k\"},[[{}]]]",
        "key|400|{}",
        "key|400|{\"key\":\"\"}",
        "key|400|{\"key\":[1,{\"a\":[]}]}",
        "key|400|{\"key\":\"\\ud800\"}",
        "key|400|{\"key\":\"k\",\"key\":\"k\",\"attributes\":{\"a\":\"b\"}}",
        "cost|400|{\"key\":\"k\",\"cost\":1.5,\"attributes\":{\"a\":{\"b\":[{}]}}}",
        "cost|400|{\"key\":\"k\",\"cost\":{\"a\":[1,2,{}]}}",
        "cost|400|{\"key\":\"k\",\"cost\":99999999999999999999999999}",
        "more|400|{\"more\":{\"a\":[[]]},\"key\":\"k\"}",
        "attributes.ip|400|{\"key\":\"k\",\"attributes\":{\"ip\":\"x\",\"user\":\"u\"}}",
        "request_id|400|{\"key\":\"k\",\"request_id\":\"\"}",
      })
  void aWrongItemIsWrongByItself(String field, int status, String wrong) throws IOException {
    List<JsonNode> results = results(bulk(item("a", 1), wrong, item("b", 2)));

    assertEquals(3, results.size());
    assertTrue(results.get(0).get("allowed").asBoolean());
    JsonNode error = results.get(1).get("error");
    assertEquals(field, error.get("field").asText());
    assertEquals(status, error.get("status").asInt());
    assertTrue(error.get("detail").asText().contains(field));
    assertTrue(results.get(2).get("allowed").asBoolean());
    assertEquals(2, server.limiter.asked.get());
    Check last = server.limiter.last;
    assertNotNull(last);
    assertEquals("b", last.request().client());
  }

  @Test
  void aKeyOverItsBoundIsTooLargeForItsItem() throws IOException {
    List<JsonNode> results = results(bulk(item("x".repeat(257), 1), item("b", 1)));
    assertEquals(413, results.get(0).get("error").get("status").asInt());
    assertEquals(1, server.times(HttpBound.FIELD));
    assertTrue(results.get(1).get("allowed").asBoolean());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "body|``",
        "body|[]",
        "body|5",
        "body|{\"checks\":[]}{}",
        "body|{\"checks\":[]",
        "checks|{}",
        "checks|{\"checks\":null}",
        "checks|{\"checks\":{}}",
        "checks|{\"checks\":\"\"}",
        "checks|{\"checks\":[],\"checks\":[]}",
        "check|{\"check\":[]}",
        "cost|{\"checks\":[{\"key\":\"k\"}],\"cost\":1}",
        "checks[1]|{\"checks\":[{\"key\":\"k\"},}]}",
        "checks[1]|{\"checks\":[{\"key\":\"k\"},",
        "checks[0]|{\"checks\":[{\"key\":\"k\"",
        "checks[1].cost|{\"checks\":[{\"key\":\"k\"},{\"key\":\"k\",\"cost\":NaN}]}",
        "checks[1]|{\"checks\":[5,{]}",
      })
  void aWrongWholeIsRefusedAndNothingIsAsked(String field, String body) throws IOException {
    Response response = ask(body == null ? "" : body);

    assertEquals(400, response.status(), response.body());
    assertEquals("application/problem+json", response.header("content-type"));
    assertEquals(field, response.json().get("field").asText());
    assertTrue(response.json().get("detail").asText().contains(field));
    assertEquals(0, server.limiter.asked.get());
  }

  @Test
  void textThatIsNotUtf8IsRefusedWhole() throws IOException {
    byte[] body = "{\"checks\":[{\"key\":\"?\"}]}".getBytes(StandardCharsets.UTF_8);
    body[19] = (byte) 0xff;
    try (RawClient client = server.connect()) {
      Response response = client.send(RawClient.post("/v1/checks", body)).read();
      assertEquals(400, response.status());
      assertEquals("body", response.json().get("field").asText());
    }
  }

  @Test
  void deepNestingInAnItemIsRefusedWhole() throws IOException {
    Response response = bulk(item("a", 1), "{\"key\":" + "[".repeat(10_000));
    assertEquals(400, response.status());
    assertEquals(0, server.limiter.asked.get());
  }

  @Test
  void noChecksAreNoResults() throws IOException {
    assertEquals("{\"results\":[]}", bulk().body());
  }

  @Test
  void moreItemsThanTheBoundAreRefusedWithItsRange() throws IOException {
    int batch = BoundsSettings.DEFAULT.batch();
    Response most = ask(items(batch));
    assertEquals(batch, results(most).size());
    assertEquals(batch, server.limiter.asked.get());

    Response tooMany = ask(items(batch + 1));
    assertEquals(400, tooMany.status());
    assertEquals("checks", tooMany.json().get("field").asText());
    assertTrue(tooMany.json().get("detail").asText().contains("0 to " + batch));
    assertEquals(batch, server.limiter.asked.get());

    assertEquals(1, server.times(HttpBound.BATCH));
    Response tooLong = ask(items(8_000));
    assertEquals(413, tooLong.status());
    assertEquals("body", tooLong.json().get("field").asText());
  }

  private static String items(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "{\"key\":\"k\"}")
        .collect(Collectors.joining(",", "{\"checks\":[", "]}"));
  }
}
