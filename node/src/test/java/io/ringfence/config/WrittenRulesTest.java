package io.ringfence.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Rules are shown as they were written, with the types that their fields have. */
class WrittenRulesTest {

  private static List<WrittenRule> written(String text) throws ConfigException {
    return RulesFileTest.parse(text).written();
  }

  @Test
  void everyFieldIsShownUnderItsNameWithItsType() throws ConfigException {
    WrittenRule rule =
        written(
                """
                attributes: [limit]
                rules:
                  - name: a
                    match: {route: ["GET /x", /y], client: 0123, limit: "5", ip: [10.0.0.0/8]}
                    by: [client, route]
                    algorithm: token-bucket
                    limit: 100
                    window: 60s
                    burst: 20
                    cost: 2
                    stage: 3
                    priority: 4
                    shadow: true
                    local_fraction: 0.25
                    status: 503
                    durability: sync
                """)
            .get(0);

    assertEquals(
        Map.ofEntries(
            Map.entry("name", "a"),
            Map.entry(
                "match",
                Map.of(
                    "route",
                    List.of("GET /x", "/y"),
                    "client",
                    "0123",
                    "limit",
                    "5",
                    "ip",
                    List.of("10.0.0.0/8"))),
            Map.entry("by", List.of("client", "route")),
            Map.entry("algorithm", "token-bucket"),
            Map.entry("limit", 100L),
            Map.entry("window", "60s"),
            Map.entry("burst", 20L),
            Map.entry("cost", 2L),
            Map.entry("stage", 3L),
            Map.entry("priority", 4L),
            Map.entry("shadow", true),
            Map.entry("local_fraction", new BigDecimal("0.25")),
            Map.entry("status", 503L),
            Map.entry("durability", "sync")),
        rule.fields());
    assertEquals(List.of("name", "match", "by"), List.copyOf(rule.fields().keySet()).subList(0, 3));
  }

  @Test
  void nothingIsFilledIn() throws ConfigException {
    assertEquals(
        Map.of("name", "a", "rate", "5/s"),
        written("rules: [{name: a, rate: 5/s}]").get(0).fields());
  }

  @Test
  void severalLimitsAreAList() throws ConfigException {
    WrittenRule rule =
        written(
                "rules: [{name: a, limits: [{name: b, rate: 10/s}, {name: d, limit: 9, window:"
                    + " 1d}]}]")
            .get(0);
    assertEquals(
        List.of(
            Map.of("name", "b", "rate", "10/s"), Map.of("name", "d", "limit", 9L, "window", "1d")),
        rule.fields().get("limits"));
  }

  @Test
  void aRuleIsForTheTiersThatItsMatchNames() throws ConfigException {
    List<WrittenRule> rules =
        written(
            """
            rules:
              - {name: a, rate: 5/s, match: {tier: free}}
              - {name: b, rate: 5/s, match: {tier: [pro, 007]}, by: ip}
              - {name: c, rate: 5/s, match: {tier: absent}, by: user}
              - {name: d, rate: 5/s, by: global}
              - {name: e, action: exempt, match: {route: /health, tier: "*"}}
            """);
    assertEquals(
        List.of(List.of("free"), List.of("pro", "007"), List.of(), List.of(), List.of("*")),
        rules.stream().map(WrittenRule::tiers).toList());
  }

  @Test
  void howMuchTextItIsCountsNamesAndValues() throws ConfigException {
    assertEquals(
        "name".length() + 1 + "rate".length() + "5/s".length(),
        written("rules: [{name: a, rate: 5/s}]").get(0).chars());
  }

  @Test
  void nobodyChangesThem() throws ConfigException {
    WrittenRule rule = written("rules: [{name: a, rate: 5/s}]").get(0);
    assertThrows(UnsupportedOperationException.class, () -> rule.fields().put("x", "y"));
  }
}
