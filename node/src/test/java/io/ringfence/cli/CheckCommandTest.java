package io.ringfence.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckCommandTest {
  private static final String ALLOWED =
      """
      {"allowed":true,"limit":100,"remaining":99,"retry_after_ms":0,"reset_at":1767225660000,\
      "rule":"write-api","certainty":"exact","owner":"n2",\
      "limits":[{"rule":"write-api","allowed":true,"limit":100,"remaining":99,\
      "retry_after_ms":0,"reset_at":1767225660000}]}""";

  private final ScriptedNode node = new ScriptedNode();

  @AfterEach
  void close() {
    node.close();
  }

  private Ran check(String... more) {
    List<String> arguments = new ArrayList<>(List.of("check", "--url", node.url()));
    arguments.addAll(List.of(more));
    return Ran.command(arguments.toArray(String[]::new)).naming(node.url(), "URL");
  }

  @Test
  void allowed() {
    node.json("/v1/check", 200, ALLOWED);
    assertEquals(
        new Ran(
            0,
            """
            ALLOWED by write-api: 99 of 100 left
              reset at   2026-01-01T00:01:00Z
              certainty  exact
              owner      n2

            limit      verdict  left  of   retry  reset at
            write-api  allowed  99    100  -      2026-01-01T00:01:00Z
            """,
            ""),
        check("--key", "cust_42"));
  }

  @Test
  void sendsWhatWasTyped() {
    node.json("/v1/check", 200, ALLOWED);
    Ran ran =
        check(
            "--key=@käse\n",
            "--route=POST /v1/charges",
            "--tier=free",
            "--attr=ip=203.0.113.7",
            "--attr",
            "user=a=b",
            "--cost=3");
    assertEquals(0, ran.exitCode(), ran.err());
    assertEquals(
        List.of(
            """
            POST /v1/check {"key":"@käse\\n","route":"POST /v1/charges","tier":"free",\
            "cost":3,"attributes":{"ip":"203.0.113.7","user":"a=b"}}"""),
        List.copyOf(node.received()));
  }

  @Test
  void C32_denialNamesTheLimitThatSaidNo() {
    node.problem(
        "/v1/check",
        429,
        """
        {"type":"https://iana.org/assignments/http-problem-types#quota-exceeded",
        "title":"Quota exceeded","status":429,"policy":"free/burst","window":"1s","retry_after":13,
        "allowed":false,"limit":10,"remaining":0,"retry_after_ms":12345,"reset_at":1767225612345,
        "rule":"free","certainty":"degraded","owner":"n2","limits":[
        {"rule":"free","name":"burst","allowed":false,"limit":10,"remaining":0,
         "retry_after_ms":12345,"reset_at":1767225612345},
        {"rule":"free","name":"daily","allowed":true,"limit":10000,"remaining":7211,
         "retry_after_ms":0,"reset_at":1767312000000},
        {"rule":"trial","allowed":false,"limit":5,"remaining":0,"retry_after_ms":null,
         "reset_at":null,"shadow":true}]}""");
    assertEquals(
        new Ran(
            1,
            """
            DENIED by free/burst: 0 of 10 left
              retry      in 12.4 s
              reset at   2026-01-01T00:00:12.345Z
              certainty  degraded: the owner did not answer, the failure policy did
              owner      n2

            limit       verdict          left  of     retry                      reset at
            free/burst  denied           0     10     in 12.4 s                  2026-01-01T00:00:12.345Z
            free/daily  allowed          7211  10000  -                          2026-01-02T00:00:00Z
            trial       denied (shadow)  0     5      never: no wait would help  -
            """,
            ""),
        check("--key", "cust_42"));
  }

  @Test
  void peekAsksForNothing() {
    node.json(
        "/v1/peek",
        200,
        """
        {"allowed":false,"limit":1,"remaining":0,"retry_after_ms":400,"reset_at":1767225660000,
        "rule":"pace","certainty":"recovered","owner":"n1","limits":[]}""");
    assertEquals(
        new Ran(
            1,
            """
            WOULD BE DENIED by pace: 0 of 1 left (nothing was charged)
              retry      in 400 ms
              reset at   2026-01-01T00:01:00Z
              certainty  recovered: the counter comes from a replica
              owner      n1
            """,
            ""),
        check("--key", "cust_42", "--peek"));
    assertEquals(List.of("POST /v1/peek {\"key\":\"cust_42\"}"), List.copyOf(node.received()));
  }

  @Test
  void noRuleApplies() {
    node.json(
        "/v1/check",
        200,
        """
        {"allowed":true,"limit":null,"remaining":null,"retry_after_ms":0,"reset_at":null,
        "rule":null,"certainty":"exact","owner":null,"limits":[]}""");
    assertEquals(
        new Ran(0, "ALLOWED: no rule applies\n  certainty  exact\n", ""), check("--key", "k"));
  }

  @Test
  void ruleThatCountsNothing() {
    node.problem(
        "/v1/check",
        429,
        """
        {"allowed":false,"limit":null,"remaining":null,"retry_after_ms":null,"reset_at":null,
        "policy":"banned","rule":"banned","certainty":"exact","owner":null,"limits":[]}""");
    assertEquals(
        new Ran(
            1,
            """
            DENIED by banned, which counts nothing
              retry      never: no wait would help
              certainty  exact
            """,
            ""),
        check("--key", "k"));
  }

  @Test
  void delayBeforeGoingAhead() {
    node.json(
        "/v1/check",
        200,
        """
        {"allowed":true,"limit":6,"remaining":3,"retry_after_ms":0,"reset_at":1767225601250,
        "delay_ms":1250,"rule":"queue","certainty":"exact","owner":"n1","limits":[]}""");
    assertTrue(check("--key", "k").out().contains("  wait       1.3 s before going ahead\n"));
  }

  @Test
  void closedIsDenied() {
    node.problem(
        "/v1/check",
        503,
        """
        {"status":503,"policy":"pay","allowed":false,"limit":9,"remaining":0,
        "retry_after_ms":1000,"reset_at":null,"rule":"pay","certainty":"closed","owner":"n3",
        "limits":[]}""");
    assertEquals(
        new Ran(
            1,
            """
            DENIED by pay: 0 of 9 left
              retry      in 1 s
              certainty  closed: the owner cannot be reached, and the rule refuses without it
              owner      n3
            """,
            ""),
        check("--key", "k"));
  }

  @Test
  void jsonComesAsItWasSent() {
    node.json("/v1/check", 200, ALLOWED);
    assertEquals(new Ran(0, ALLOWED + "\n", ""), check("--key", "k", "--json"));
  }

  @Test
  void nothingFromTheNetworkMovesTheCursor() {
    String owner = "n1\\u001b[2J\\u0007\\u202e\u009b31m";
    String hostile = ALLOWED.replace("n2", owner);
    node.json("/v1/check", 200, hostile);
    String shown = "n1\\u001b[2J\\u0007\\u202e\\u009b31m";
    assertTrue(check("--key", "k").out().contains("  owner      " + shown + "\n"));
    assertEquals(ALLOWED.replace("n2", shown) + "\n", check("--key", "k", "--json").out());
  }

  @Test
  void refusalShowsFieldAndDetail() {
    node.problem(
        "/v1/check",
        400,
        """
        {"type":"about:blank","title":"Bad Request","status":400,
        "detail":"cost must be from 1 to 1000000000000, not 0","field":"cost"}""");
    assertEquals(
        new Ran(
            2,
            "",
            "ringfence: URL/v1/check answered 400:"
                + " field cost: cost must be from 1 to 1000000000000, not 0\n"),
        check("--key", "k", "--cost", "0"));
  }

  @Test
  void fullNodeIsNoVerdict() {
    node.problem(
        "/v1/check",
        503,
        "{\"type\":\"about:blank\",\"title\":\"Service Unavailable\",\"status\":503}");
    assertEquals(
        new Ran(2, "", "ringfence: URL/v1/check answered 503: Service Unavailable\n"),
        check("--key", "k"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "200 | text/html        | <html>          | (text/html), not as a Ringfence node; is --url",
        "200 | application/json | {}              | not as a Ringfence node: allowed is not true",
        "200 | application/json | []              | it is not a JSON object",
        "200 | application/json | {\"allowed\":1} | allowed is not true or false",
        "200 | application/json | {\"allowed\":tr | it is not valid JSON",
        "200 | application/json | {} {}           | something follows the JSON object",
        "302 | text/html        | /elsewhere      | answered 302 (text/html), not as a Ringfence",
        "404 | application/json | {}              | (application/json), not as a Ringfence node",
        "503 | text/plain       | busy            | answered 503 (text/plain), not as a Ringfence",
        "401 | application/json | {\"detail\":1}  | answered 401 (application/json), not as",
      })
  void strangersAreTold(int status, String contentType, String body, String complaint) {
    node.on("/v1/check", status, contentType, body);
    Ran ran = check("--key", "k");
    assertEquals(2, ran.exitCode());
    assertEquals("", ran.out());
    assertEquals(1, ran.err().lines().count(), ran.err());
    assertTrue(ran.err().contains(complaint), ran.err());
  }

  @Test
  void answerNestedWithoutEndIsRefused() {
    node.json("/v1/check", 200, "{\"a\":" + "[".repeat(100_000));
    assertTrue(check("--key", "k").err().contains("nested deeper than 16 levels"));
  }

  @Test
  void lostCharactersAreNotSentAsAnotherKey() {
    Ran ran = check("--key", "k\ufffd");
    assertEquals(2, ran.exitCode());
    assertTrue(ran.err().startsWith("ringfence: --key lost characters on its way here"));
    assertEquals(2, check("--key", "k", "--attr", "user=\ud800").exitCode());
    assertTrue(node.received().isEmpty());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--route /x               | Missing required option: '--key=KEY'",
        "--key k --cost 1e3       | Invalid value for option '--cost': '1e3' is not a long",
        "--key k --cost 1.0       | '1.0' is not a long",
        "--key k --attr ip        | --attr must be NAME=VALUE, not 'ip'",
        "--key k --attr =x        | --attr must be NAME=VALUE, not '=x'",
        "--key k --key j          | option '--key' (KEY) should be specified only once",
        "--key k --kost 1         | Unknown options: '--kost', '1'",
        "--key k --timeout 5      | '5' is not a time from 10ms to 600s, such as 500ms or 5s",
        "--key k --timeout 601s   | '601s' is not a time from 10ms to 600s",
        "--key k extra            | Unmatched argument at index 5: 'extra'",
      })
  void wrongFlags(String flags, String complaint) {
    Ran ran = check(flags.split(" "));
    assertEquals(2, ran.exitCode());
    assertEquals("", ran.out());
    assertTrue(ran.err().contains(complaint), ran.err());
    assertTrue(node.received().isEmpty());
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:8081",
    "ftp://127.0.0.1",
    "http://",
    "http://u:p@127.0.0.1:8081",
    "http://127.0.0.1:8081?x=1",
    "http://127.0.0.1:70000",
    "http://a b/",
  })
  void wrongUrl(String url) {
    Ran ran = Ran.command("check", "--url", url, "--key", "k");
    assertEquals(2, ran.exitCode());
    assertTrue(
        ran.err().contains("'" + url + "' is not the address of a node, such as http://"),
        ran.err());
  }
}
