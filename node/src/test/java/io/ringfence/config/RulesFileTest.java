package io.ringfence.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.algorithms.Kind;
import io.ringfence.rules.Action;
import io.ringfence.rules.Durability;
import io.ringfence.rules.FailurePolicy;
import io.ringfence.rules.Limit;
import io.ringfence.rules.OnStateLost;
import io.ringfence.rules.OnUnavailable;
import io.ringfence.rules.Request;
import io.ringfence.rules.Rule;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RulesFileTest {
  static final String WHOLE =
      """
      attributes: [plan]
      rules:
        - name: write-api
          match: {route: "POST /v1/charges", tier: free}
          by: client
          algorithm: token-bucket
          limit: 100
          window: 60s
          burst: 20
          cost: 1
          group: client
          stage: 1
          priority: 0
          shadow: false
          purpose: fairness
          durability: async
          on_unavailable: local
          local_fraction: 0.2
          on_state_lost: fresh
          on_partition: share
          status: 429
        - {name: login, match: {route: "POST /login"}, by: ip, algorithm: sliding-window-log, rate: 5/hour}
        - {name: search, match: {route: "/search/**"}, by: api_key, rate: "1000/minute, burst 200"}
        - name: free
          match: {tier: free}
          by: client
          limits: [{name: burst, rate: 10/second}, {name: daily, rate: 10000/day}]
        - {name: probes, match: {route: "GET /health/**"}, action: exempt}
        - {name: banned, match: {ip: [203.0.113.0/24]}, action: deny}
        - {name: partner, match: {client: [acme]}, by: client, rate: unlimited}
        - {name: anonymous, match: {user: absent}, by: ip, rate: 60/minute}
        - {name: ceiling, by: global, rate: "20000/second, burst 2000", status: 503}
      rulesets: {edge: [probes, anonymous]}
      """;

  @Test
  void theWholeSyntaxIsRead() throws ConfigException {
    LoadedRules loaded = parse(WHOLE);

    assertEquals(9, loaded.rules().rules().size());
    Rule write = rule(loaded, "write-api");
    assertEquals(List.of("client"), write.by());
    assertEquals(new Rule.Order("client", 1, 0, 0), write.order());
    assertEquals(FailurePolicy.DEFAULT, write.effect().failure());
    assertEquals(new Rule.Presentation(false, 429), write.effect().presentation());
    assertLimit(write, Kind.TOKEN_BUCKET, 100, 60_000_000_000L, 20, "60s");
    assertLimit(rule(loaded, "login"), Kind.SLIDING_WINDOW_LOG, 5, 3_600_000_000_000L, 0, "1h");
    assertLimit(rule(loaded, "search"), Kind.TOKEN_BUCKET, 1000, 60_000_000_000L, 200, "1m");
    assertEquals(
        List.of("burst", "daily"),
        rule(loaded, "free").effect().limits().stream().map(Limit::name).toList());
    assertEquals(Action.EXEMPT, rule(loaded, "probes").effect().action());
    assertEquals(Action.DENY, rule(loaded, "banned").effect().action());
    assertEquals(Action.UNLIMITED, rule(loaded, "partner").effect().action());
    assertEquals(List.of(), rule(loaded, "ceiling").by());
    assertEquals("global", rule(loaded, "ceiling").order().group());
    assertEquals(503, rule(loaded, "ceiling").effect().presentation().status());
    assertEquals(Map.of("edge", List.of("probes", "anonymous")), loaded.rulesets());
    assertEquals(
        List.of(
            "rule write-api: purpose fairness has no effect in this release: no default is derived"
                + " from it yet"),
        loaded.warnings());
  }

  @Test
  void theVersionIsTheHashOfTheBytes(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("rules.yaml"), "rules: [{name: a, rate: 1/s}]");

    assertEquals("61be1dce92855cd9", RulesFile.load(file).rules().version());
  }

  @Test
  void scalarsStayWhatWasWritten() throws ConfigException {
    LoadedRules loaded =
        parse(
            """
            rules:
              - {name: 0123, match: {client: [no, 0123, 1e3, 0x1F, ~, null, 2026-01-01]}, rate: 30/m}
              - {name: "no", match: {tier: "absent "}, by: 'client', limit: '30', window: "1m"}
            """);

    assertEquals(List.of("0123", "no"), loaded.rules().rules().stream().map(Rule::name).toList());
    for (String client : List.of("no", "0123", "1e3", "0x1F", "~", "null", "2026-01-01")) {
      assertEquals(1, loaded.rules().applicable(Request.of(client), 1).asks().size(), () -> client);
    }
    assertEquals(0, loaded.rules().applicable(Request.of("false"), 1).asks().size());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rate: 100/minute | SLIDING_WINDOW_COUNTER | 100 | 60000000000 | 0 | 1m",
        "rate: 19/minute | SLIDING_WINDOW_LOG | 19 | 60000000000 | 0 | 1m",
        "rate: 20/minute | SLIDING_WINDOW_COUNTER | 20 | 60000000000 | 0 | 1m",
        "rate: 5/day | FIXED_WINDOW | 5 | 86400000000000 | 0 | 1d",
        "rate: 5/24h | FIXED_WINDOW | 5 | 86400000000000 | 0 | 24h",
        "rate: 5/23h | SLIDING_WINDOW_LOG | 5 | 82800000000000 | 0 | 23h",
        "'rate: \"5/day, burst 2\"' | TOKEN_BUCKET | 5 | 86400000000000 | 2 | 1d",
        "rate: 5/10second | SLIDING_WINDOW_LOG | 5 | 10000000000 | 0 | 10s",
        "rate: 50/250ms | SLIDING_WINDOW_COUNTER | 50 | 250000000 | 0 | 250ms",
        "'rate: 3/s, burst: 9' | TOKEN_BUCKET | 3 | 1000000000 | 9 | 1s",
        "'limit: 30, window: 60s' | SLIDING_WINDOW_COUNTER | 30 | 60000000000 | 0 | 60s",
        "'limit: 30, window: 400d' | FIXED_WINDOW | 30 | 34560000000000000 | 0 | 400d",
        "'limit: 30, window: 1ms, algorithm: gcra' | GCRA | 30 | 1000000 | 1 | 1ms",
        "'limit: 30, window: 1s, algorithm: gcra, burst: 4' | GCRA | 30 | 1000000000 | 4 | 1s",
        "'limit: 30, window: 1s, algorithm: token-bucket' | TOKEN_BUCKET | 30 | 1000000000 | 30 |"
            + " 1s",
        "'limit: 30, window: 1s, algorithm: leaking-bucket' | LEAKING_BUCKET | 30 | 1000000000 | 0"
            + " | 1s",
        "'limit: 30, window: 1s, algorithm: leaking-bucket, burst: 0' | LEAKING_BUCKET | 30 |"
            + " 1000000000 | 0 | 1s",
        "'limit: 1000000000000, window: 1h' | SLIDING_WINDOW_COUNTER | 1000000000000 |"
            + " 3600000000000 | 0 | 1h",
        "'rate: 7/h, algorithm: fixed-window' | FIXED_WINDOW | 7 | 3600000000000 | 0 | 1h",
      })
  void limitsGetTheAlgorithmThatFits(
      String fields, Kind kind, long limit, long windowNanos, long burst, String window)
      throws ConfigException {
    assertLimit(
        rule(parse("rules: [{name: a, " + fields + "}]"), "a"),
        kind,
        limit,
        windowNanos,
        burst,
        window);
  }

  @ParameterizedTest
  @CsvSource({
    "fixed-window",
    "sliding-window-log",
    "sliding-window-counter",
    "token-bucket",
    "gcra",
    "leaking-bucket"
  })
  void C05_limitZeroIsTakenAndDeniesAlways(String kind) throws ConfigException {
    Algorithm algorithm =
        rule(parse("rules: [{name: a, limit: 0, window: 60s, algorithm: " + kind + "}]"), "a")
            .effect()
            .limits()
            .get(0)
            .algorithm();

    for (long second : new long[] {0, 61, 3_600, 1_000_000}) {
      long now = second * 1_000_000_000L;
      assertTrue(
          !algorithm.charge(algorithm.fresh(now), 1, now).allowed(), () -> kind + " at " + second);
    }
  }

  @Test
  void failurePoliciesAreRead() throws ConfigException {
    LoadedRules loaded =
        parse(
            """
            rules:
              - {name: a, rate: 100/minute, on_unavailable: closed}
              - {name: b, by: ip, rate: 100/minute, on_unavailable: open}
              - {name: c, by: user, rate: 100/minute, local_fraction: 0.000001}
              - {name: d, by: tenant, rate: 100/minute, local_fraction: 1}
              - {name: e, by: api_key, rate: "100/minute, burst 5", local: "3/minute"}
            """);

    assertEquals(OnUnavailable.CLOSED, failure(loaded, "a").onUnavailable());
    assertEquals(OnUnavailable.OPEN, failure(loaded, "b").onUnavailable());
    assertEquals(1, failure(loaded, "c").localFractionMillionths());
    assertEquals(1_000_000, failure(loaded, "d").localFractionMillionths());
    Algorithm local = failure(loaded, "e").local();
    assertNotNull(local);
    assertEquals(Kind.TOKEN_BUCKET, local.kind());
    assertEquals(3, local.limit());
    assertNull(failure(loaded, "a").local());
  }

  @Test
  void whatHasNoEffectIsAnsweredByAWarning() throws ConfigException {
    LoadedRules loaded =
        parse(
            """
            rules:
              - {name: a, rate: 100/minute, purpose: abuse}
              - {name: b, by: [ip, route], rate: 100/minute, durability: async}
              - {name: c, action: exempt}
            """);

    assertEquals(
        List.of(
            "rule a: purpose abuse has no effect in this release: no default is derived from it"
                + " yet",
            "rule b: counts by route without match.route, so that all routes count as one, /**",
            "rule c: exempts every request, so that no rule limits any"),
        loaded.warnings());
  }

  @Test
  void strictImpliesSyncAndSpent() throws ConfigException {
    LoadedRules loaded =
        parse(
            """
            rules:
              - {name: a, rate: 100/minute, on_partition: strict}
              - {name: b, by: ip, rate: 100/minute, durability: none, on_state_lost: prorated}
              - {name: c, by: user, rate: 100/minute}
            """);

    assertEquals(Durability.SYNC, failure(loaded, "a").durability());
    assertEquals(OnStateLost.SPENT, failure(loaded, "a").onStateLost());
    assertEquals(Durability.NONE, failure(loaded, "b").durability());
    assertEquals(OnStateLost.PRORATED, failure(loaded, "b").onStateLost());
    assertEquals(FailurePolicy.DEFAULT, failure(loaded, "c"));
    assertRefused(
        "rules: [{name: a, rate: 1/s, on_partition: strict, durability: async}]",
        "durability: must be sync, or left out, where on_partition is strict");
    assertRefused(
        "rules: [{name: a, rate: 1/s, on_partition: strict, on_state_lost: fresh}]",
        "on_state_lost: must be spent, or left out, where on_partition is strict");
  }

  private static void assertRefused(String yaml, String problem) {
    ConfigException refused = assertThrows(ConfigException.class, () -> parse(yaml));
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains(problem), message);
  }

  @Test
  void aRuleCountsByClientUnlessItSaysOtherwise() throws ConfigException {
    LoadedRules loaded = parse("rules: [{name: a, rate: 5/s}, {name: b, by: global, rate: 9/s}]");

    assertEquals(List.of("client"), rule(loaded, "a").by());
    assertEquals(List.of(), rule(loaded, "b").by());
  }

  @Test
  void theSameAttributesInAnotherOrderAreOneGroup() throws ConfigException {
    LoadedRules loaded =
        parse(
            "rules: [{name: a, by: [user, client], rate: 5/s, priority: 1},"
                + " {name: b, by: [client, user], rate: 9/s}]");

    assertEquals(rule(loaded, "a").order().group(), rule(loaded, "b").order().group());
  }

  @Test
  void theDemoRulesLetAFewChargesPass() {
    LoadedRules demo = RulesFile.demo();
    Request charge = new Request("me", "POST", "/v1/charges", null, Map.of());
    List<Limit> limits =
        demo.rules().applicable(charge, 1).asks().stream().map(ask -> ask.limit()).toList();

    assertEquals(1, limits.size());
    assertEquals(5, limits.get(0).algorithm().capacity());
    assertEquals(10_000_000_000L, limits.get(0).algorithm().windowNanos());
    assertEquals(1, demo.rules().applicable(Request.of("me"), 1).asks().size());
    assertEquals(List.of(), demo.warnings());
  }

  static LoadedRules parse(String text) throws ConfigException {
    return RulesFile.parse("rules.yaml", text.getBytes(StandardCharsets.UTF_8));
  }

  private static Rule rule(LoadedRules loaded, String name) {
    return loaded.rules().rules().stream()
        .filter(rule -> rule.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static FailurePolicy failure(LoadedRules loaded, String name) {
    return rule(loaded, name).effect().failure();
  }

  private static void assertLimit(
      Rule rule, Kind kind, long limit, long windowNanos, long burst, String window) {
    assertEquals(1, rule.effect().limits().size());
    Limit only = rule.effect().limits().get(0);
    Algorithm algorithm = only.algorithm();
    assertEquals(kind, algorithm.kind());
    assertEquals(limit, algorithm.limit());
    assertEquals(windowNanos, algorithm.windowNanos());
    assertEquals(burst, algorithm.burst());
    assertEquals(window, only.window());
  }
}
