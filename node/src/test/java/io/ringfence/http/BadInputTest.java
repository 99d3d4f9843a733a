package io.ringfence.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.engine.Check;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever cannot mean exactly one thing is refused, names its field, and charges nothing. */
class BadInputTest {
  private static ServerFixture server;

  @BeforeAll
  static void start() throws IOException {
    server = new ServerFixture();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Response refused(int status, String field, byte[] body) throws IOException {
    int before = server.limiter.asked.get();
    Response response;
    try (RawClient client = server.connect()) {
      response = client.send(RawClient.post("/v1/check", body)).read();
    }
    assertEquals(before, server.limiter.asked.get(), "nothing may be charged");
    assertEquals(status, response.status(), response.body());
    assertEquals("application/problem+json", response.header("content-type"));
    assertEquals("about:blank", response.json().get("type").asText());
    assertEquals(status, response.json().get("status").asInt());
    assertTrue(response.json().get("title").asText().length() > 3);
    assertTrue(response.json().get("detail").asText().contains(field));
    assertEquals(field, response.json().get("field").asText());
    return response;
  }

  private static Response refused(int status, String field, String body) throws IOException {
    return refused(status, field, body.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-1",
        "-0",
        "1e300",
        "1E0",
        "1.0",
        "1.5",
        "\"1\"",
        "true",
        "null",
        "[1]",
        "{}",
        "1000000000001",
        "9223372036854775807",
        "9223372036854775808",
        "99999999999999999999999999999999999999",
        "NaN",
        "Infinity",
        "-Infinity",
        "01",
        "+1",
        "0x1",
        "--1",
        "."
      })
  void aBadCostNamesItsRange(String cost) throws IOException {
    Response response = refused(400, "cost", "{\"key\":\"k\",\"cost\":" + cost + "}");
    assertTrue(response.json().get("detail").asText().contains("1 to 1000000000000"));
  }

  @Test
  void aCostOfAThousandDigitsIsRefused() throws IOException {
    refused(400, "cost", "{\"key\":\"k\",\"cost\":" + "9".repeat(5_000) + "}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "key|{}",
        "key|{\"cost\":1}",
        "key|{\"key\":\"\"}",
        "key|{\"key\":1}",
        "key|{\"key\":null}",
        "key|{\"key\":[\"k\"]}",
        "key|{\"key\":{\"a\":\"k\"}}",
        "key|{\"key\":\"k\",\"key\":\"k\"}",
        "key|{\"key\":\"\\ud800\"}",
        "key|{\"key\":\"\\udc00\\ud800\"}",
        "key|{\"key\":\"\\ud800x\"}",
        "key|{\"key\":\"\\x\"}",
        "key|{\"key\":'k'}",
        "key|{\"key\":k}",
        "route|{\"key\":\"k\",\"route\":\"\"}",
        "route|{\"key\":\"k\",\"route\":\"x\"}",
        "route|{\"key\":\"k\",\"route\":\"POST\"}",
        "route|{\"key\":\"k\",\"route\":\"POST x\"}",
        "route|{\"key\":\"k\",\"route\":\"POST  /x\"}",
        "route|{\"key\":\"k\",\"route\":\" /x\"}",
        "route|{\"key\":\"k\",\"route\":\"POST/x\"}",
        "route|{\"key\":\"k\",\"route\":\"post /x\"}",
        "route|{\"key\":\"k\",\"route\":\"P:T /x\"}",
        "route|{\"key\":\"k\",\"route\":\"GET\\t/x\"}",
        "route|{\"key\":\"k\",\"route\":\"GET /x\\n\"}",
        "route|{\"key\":\"k\",\"route\":\"GET /x\\u0000\"}",
        "route|{\"key\":\"k\",\"route\":\"https://h/x\"}",
        "route|{\"key\":\"k\",\"route\":7}",
        "route|{\"key\":\"k\",\"route\":null}",
        "route|{\"key\":\"k\",\"route\":\"/x\",\"route\":\"/x\"}",
        "tier|{\"key\":\"k\",\"tier\":\"\"}",
        "tier|{\"key\":\"k\",\"tier\":false}",
        "request_id|{\"key\":\"k\",\"request_id\":\"\"}",
        "request_id|{\"key\":\"k\",\"request_id\":1}",
        "attributes|{\"key\":\"k\",\"attributes\":[]}",
        "attributes|{\"key\":\"k\",\"attributes\":\"ip\"}",
        "attributes|{\"key\":\"k\",\"attributes\":null}",
        "attributes|{\"key\":\"k\",\"attributes\":{\"\":\"v\"}}",
        "attributes|{\"key\":\"k\",\"attributes\":{\"a b\":\"v\"}}",
        "attributes|{\"key\":\"k\",\"attributes\":{\"\\ud800\":\"v\"}}",
        "attributes|{\"key\":\"k\",\"attributes\":{},\"attributes\":{}}",
        "attributes.user|{\"key\":\"k\",\"attributes\":{\"user\":1}}",
        "attributes.user|{\"key\":\"k\",\"attributes\":{\"user\":null}}",
        "attributes.user|{\"key\":\"k\",\"attributes\":{\"user\":{\"a\":\"b\"}}}",
        "attributes.user|{\"key\":\"k\",\"attributes\":{\"user\":\"\"}}",
        "attributes.user|{\"key\":\"k\",\"attributes\":{\"user\":\"a\",\"user\":\"a\"}}",
        "attributes.ip|{\"key\":\"k\",\"attributes\":{\"ip\":\"localhost\"}}",
        "attributes.ip|{\"key\":\"k\",\"attributes\":{\"ip\":\"1.2.3.4:80\"}}",
        "costs|{\"key\":\"k\",\"costs\":1}",
        "Key|{\"Key\":\"k\"}",
        "|{\"key\":\"k\",\"\":1}",
        "body|[]",
        "body|[{\"key\":\"k\"}]",
        "body|\"key\"",
        "body|1",
        "body|null",
        "body|{\"key\":\"k\"}{}",
        "body|{\"key\":\"k\"} x",
        "body|{\"key\":\"k\"},",
        "body|{\"key\":\"k\"",
        "body|{\"key\":\"k\",}",
        "key|{\"key\" \"k\"}",
        "body|{key:\"k\"}",
        "body|{",
        "body|{\"key\":\"k\",\"cost\":1_000}",
        "body|/* hello */ {\"key\":\"k\"}",
        "body|\uFEFF{\"key\":\"k\"}",
      })
  void aBadFieldIsNamed(String field, String body) throws IOException {
    refused(400, field == null ? "" : field, body);
  }

  @Test
  void anEmptyBodyIsRefused() throws IOException {
    refused(400, "body", "");
  }

  @Test
  void textThatIsNotUtf8IsRefused() throws IOException {
    for (int[] bad :
        new int[][] {
          {0xff}, {0xc0, 0x80}, {0xc3}, {0xed, 0xa0, 0x80}, {0xf4, 0x90, 0x80, 0x80}, {0x80},
        }) {
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      body.writeBytes("{\"key\":\"".getBytes(StandardCharsets.UTF_8));
      for (int b : bad) {
        body.write(b);
      }
      body.writeBytes("\"}".getBytes(StandardCharsets.UTF_8));
      refused(400, "body", body.toByteArray());
    }
    refused(400, "body", "{\"key\":\"k\"}".getBytes(StandardCharsets.UTF_16LE));
    refused(400, "body", "{\"key\":\"k\"}".getBytes(StandardCharsets.UTF_16));
  }

  @Test
  void whatIsOverItsBoundIsTooLarge() throws IOException {
    String long257 = "x".repeat(257);
    // 129 characters of two bytes each.
    refused(413, "key", "{\"key\":\"" + "\u00e9".repeat(129) + "\"}");
    refused(413, "key", "{\"key\":\"" + long257 + "\"}");
    refused(413, "tier", "{\"key\":\"k\",\"tier\":\"" + long257 + "\"}");
    refused(
        413, "attributes.user", "{\"key\":\"k\",\"attributes\":{\"user\":\"" + long257 + "\"}}");
    refused(413, "attributes", "{\"key\":\"k\",\"attributes\":{\"" + long257 + "\":\"v\"}}");
    refused(400, "attributes", "{\"key\":\"k\",\"attributes\":{\"" + "x".repeat(65) + "\":\"v\"}}");
    refused(400, "route", "{\"key\":\"k\",\"route\":\"/" + "x".repeat(2_048) + "\"}");
    refused(400, "request_id", "{\"key\":\"k\",\"request_id\":\"" + "x".repeat(129) + "\"}");
    String many =
        IntStream.range(0, 33)
            .mapToObj(i -> "\"a" + i + "\":\"v\"")
            .collect(Collectors.joining(","));
    refused(400, "attributes", "{\"key\":\"k\",\"attributes\":{" + many + "}}");
    refused(413, "body", "{\"key\":\"" + "x".repeat(1024 * 1024) + "\"}");
  }

  @Test
  void deepNestingIsRefused() throws IOException {
    refused(400, "key", "{\"key\":" + "[".repeat(20_000) + "}");
    refused(400, "deep", "{\"deep\":" + "{\"a\":".repeat(10_000) + "}");
  }

  @Test
  void anUnknownNameIsEchoedShort() throws IOException {
    String name = "\\n\\u0000<script>" + "x".repeat(30_000);
    Response response = server.check("{\"key\":\"k\",\"" + name + "\":1}");
    assertEquals(400, response.status());
    assertTrue(response.body().length() < 600);
    assertTrue(response.body().contains("\\n\\u0000<script>"));
  }

  @Test
  void everythingLegalGetsThrough() throws IOException {
    server.check(
        "\n { \"key\" : \"a\\u0000b\\n\\\"\u00e9\ud83d\ude00\" , \"route\":\"M-SEARCH /a b?c=%2f\","
            + "\"cost\":1000000000000,\"tier\":\"free\",\"request_id\":\"r-1\","
            + "\"attributes\":{\"ip\":\"::FFFF:192.0.2.1\",\"user\":\"u\",\"x.y-z_1\":\"v\"}} \n");
    Check check = server.limiter.last;
    assertNotNull(check);
    assertEquals(1_000_000_000_000L, check.cost());
    assertEquals("r-1", check.requestId());
    assertEquals("a\u0000b\n\"\u00e9\ud83d\ude00", check.request().client());
    assertEquals("M-SEARCH", check.request().method());
    assertEquals("/a b?c=%2f", check.request().path());
    assertEquals("free", check.request().tier());
    assertEquals(
        Map.of("ip", "192.0.2.1", "user", "u", "x.y-z_1", "v"), check.request().attributes());

    server.check("{\"key\":\"" + "x".repeat(256) + "\",\"route\":\"/x\"}");
    check = server.limiter.last;
    assertNotNull(check);
    assertEquals(1, check.cost());
    assertEquals(null, check.request().method());
    assertEquals("/x", check.request().path());
  }
}
