package io.ringfence.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each file is refused, and the message names line, rule and field and says what would be right.
 */
class BadRulesTest {

  @ParameterizedTest
  @MethodSource({"documents", "names", "limits", "rates", "matches", "others", "conflicts"})
  void C15_aBadFileIsRefusedWithItsPlace(String text, String problem) {
    ConfigException refused =
        assertThrows(ConfigException.class, () -> RulesFileTest.parse(text), () -> text);

    assertTrue(
        refused.problems().stream().anyMatch(line -> line.contains(problem)),
        () -> "expected " + problem + " in " + refused.getMessage());
    assertTrue(
        refused.problems().stream().allMatch(line -> line.startsWith("rules.yaml")),
        () -> String.valueOf(refused.getMessage()));
  }

  static Stream<Arguments> documents() {
    return Stream.of(
        bad("", "rules.yaml: is empty"),
        bad("\n# nothing but a comment\n", "rules.yaml: is empty"),
        bad("---\n", "rules.yaml: is empty"),
        bad("just text", "rules.yaml:1: must be a mapping of fields, not text"),
        bad("- a\n- b", "rules.yaml:1: must be a mapping of fields, not a list"),
        bad("attributes: [plan]", "rules.yaml:1: rules: is missing"),
        bad("rules:", "rules: must be a list of at least one rule, not nothing"),
        bad("rules: []", "rules: must be a list of at least one rule, not an empty one"),
        bad("rules: {name: a}", "rules: must be a list of at least one rule, not a mapping"),
        bad("rules: [a]", "rules.yaml:1: rules[0]: must be a mapping of fields, not text"),
        bad("rule:\n  - name: a", "\"rule\": is not a known field; did you mean rules?"),
        bad(
            "rules:\n  - name: a\n    limit: 10\n    win",
            "rules.yaml:4: is not valid YAML in or after \"a\""),
        bad("rules:\n  - {name: a, rate: 5/s", "is not valid YAML in or after \"a\""),
        bad("rules:\n  - {name: a, match: {route: /x/{id}}, rate: 5/s}", "must be in quotes"),
        bad("rules:\n\t- name: a", "rules.yaml:2: is not valid YAML"),
        bad("rules: [{name: a, rate: 5/s}]\n---\nrules: []", "rules.yaml:2: a second document"),
        bad("rules:\n  - &x {name: a, rate: 5/s}\n  - *x", "rules.yaml:2: anchors"),
        bad("rules:\n  - {name: *x, rate: 5/s}", "rules.yaml:2: aliases"),
        bad("rules:\n  - !!java.net.URL [http://x]", "rules.yaml:2: tags"),
        bad("rules:\n  - {name: !!str a, rate: 5/s}", "rules.yaml:2: tags"),
        bad("rules: " + "[".repeat(40) + "]".repeat(40), "is nested deeper than 12 levels"),
        bad("rules: " + "[".repeat(100_000), "is nested deeper than 12 levels"),
        bad("? [a]\n: b", "a key must be text, not a list"),
        bad("rules: [{name: \"a\u0000\", rate: 5/s}]", "is not valid YAML"),
        bad("#" + "x".repeat(YamlText.MAX_BYTES), "is larger than 1048576 bytes"),
        bad("rules: [{name: a, <<: {rate: 5/s}}]", "\"<<\": is not a known field"),
        bad(
            "rules: [{name: a, rate: 5/s}]\nrules: []",
            "rules.yaml:2: \"rules\": stands here twice, first in line 1"));
  }

  static Stream<Arguments> names() {
    return Stream.of(
        bad("rules: [{rate: 5/s}]", "rules[0].name: is missing"),
        bad("rules: [{name: , rate: 5/s}]", "rules[0].name: must be a single value, not nothing"),
        bad("rules: [{name: [a], rate: 5/s}]", "rules[0].name: must be a single value, not a list"),
        bad("rules: [{name: a b, rate: 5/s}]", "rules[0].name: must be 1 to 64 letters"),
        bad("rules: [{name: \"a\\nb\", rate: 5/s}]", "not \"a\\u000ab\""),
        bad("rules: [{name: " + "n".repeat(65) + ", rate: 5/s}]", "rules[0].name: must be 1 to 64"),
        bad("rules: [{name: a/b, rate: 5/s}]", "rules[0].name: must be 1 to 64 letters"),
        bad(
            "rules:\n- {name: a, rate: 5/s}\n- {name: b, by: ip, rate: 5/s}\n- {name: a, by: user, rate: 5/s}",
            "rules.yaml:4: rule a: name: is already the name of the rule in line 2"),
        bad(
            "rules: [{name: a, limitt: 5, window: 1s}]",
            "rule a: \"limitt\": is not a known field; did you mean limit?"),
        bad(
            "rules: [{name: a, limit: 5, period: 10}]",
            "rule a: \"period\": is not a known field; did you mean window?"),
        bad(
            "rules: [{name: a, rate: 5/s, zzzzzzzz: 1}]",
            "rule a: \"zzzzzzzz\": is not a known field"),
        bad(
            "rules: [{name: a, rate: 5/s, limit: 1, limit: 2}]",
            "rule a: \"limit\": stands here twice"),
        bad(
            "rules: [{name: a, rate: 5/s, \"x\\e[31m\": 1}]",
            "\"x\\u001b[31m\": is not a known field"));
  }

  static Stream<Arguments> limits() {
    return Stream.of(
        bad(
            "rules: [{name: a}]",
            "rule a: limit: is missing; a limit needs limit and window, or rate"),
        bad("rules: [{name: a, limit: 5}]", "rule a: window: is missing"),
        bad("rules: [{name: a, window: 5s}]", "rule a: limit: is missing"),
        bad(
            "rules: [{name: a, limit: -1, window: 1s}]",
            "rule a: limit: must be a whole number from 0 to 1000000000000 in plain digits, not \"-1\""),
        bad("rules: [{name: a, limit: 1.5, window: 1s}]", "rule a: limit: must be a whole number"),
        bad("rules: [{name: a, limit: 1e3, window: 1s}]", "rule a: limit: must be a whole number"),
        bad(
            "rules: [{name: a, limit: 1_000, window: 1s}]",
            "rule a: limit: must be a whole number"),
        bad("rules: [{name: a, limit: 0x10, window: 1s}]", "rule a: limit: must be a whole number"),
        bad("rules: [{name: a, limit: 0123, window: 1s}]", "rule a: limit: must be a whole number"),
        bad("rules: [{name: a, limit: +5, window: 1s}]", "rule a: limit: must be a whole number"),
        bad("rules: [{name: a, limit: .nan, window: 1s}]", "rule a: limit: must be a whole number"),
        bad("rules: [{name: a, limit: ٣, window: 1s}]", "rule a: limit: must be a whole number"),
        bad(
            "rules: [{name: a, limit: 1000000000001, window: 1s}]",
            "rule a: limit: must be a whole number"),
        bad(
            "rules: [{name: a, limit: " + "9".repeat(400) + ", window: 1s}]",
            "rule a: limit: must be a whole number"),
        bad("rules: [{name: a, limit: many, window: 1s}]", "not \"many\""),
        bad(
            "rules: [{name: a, limit: , window: 1s}]",
            "rule a: limit: must be a single value, not nothing"),
        bad(
            "rules: [{name: a, limit: [5], window: 1s}]",
            "rule a: limit: must be a single value, not a list"),
        bad(
            "rules: [{name: a, limit: 5, window: 10}]",
            "rule a: window: must be a number and a unit (ms, s, m, h, d) from 1ms to 400d"),
        bad(
            "rules: [{name: a, limit: 5, window: 10 s}]",
            "rule a: window: must be a number and a unit"),
        bad(
            "rules: [{name: a, limit: 5, window: 10S}]",
            "rule a: window: must be a number and a unit"),
        bad(
            "rules: [{name: a, limit: 5, window: 1h30m}]",
            "rule a: window: must be a number and a unit"),
        bad(
            "rules: [{name: a, limit: 5, window: -1s}]",
            "rule a: window: must be a number and a unit"),
        bad(
            "rules: [{name: a, limit: 5, window: 0s}]",
            "rule a: window: must be from 1ms to 400d, not \"0s\""),
        bad(
            "rules: [{name: a, limit: 5, window: 401d}]",
            "rule a: window: must be from 1ms to 400d"),
        bad(
            "rules: [{name: a, limit: 5, window: 999999999d}]",
            "rule a: window: must be from 1ms to 400d"),
        bad(
            "rules: [{name: a, limit: 5, window: {calendar: {unit: month, zone: UTC}}}]",
            "rule a: window: calendar windows are not offered in this release"),
        bad(
            "rules: [{name: a, limit: 5, window: 1s, algorithm: concurrency}]",
            "rule a: algorithm: concurrency is not offered in this release"),
        bad(
            "rules: [{name: a, limit: 5, window: 1s, algorithm: token_bucket}]",
            "rule a: algorithm: must be one of token-bucket, leaking-bucket, gcra, fixed-window, sliding-window-log, sliding-window-counter, not \"token_bucket\"; did you mean token-bucket?"),
        bad(
            "rules: [{name: a, limit: 5, window: 1s, algorithm: fixed-window, burst: 2}]",
            "rule a: burst: fixed-window has no burst"),
        bad(
            "rules: [{name: a, rate: \"5/s, burst 2\", algorithm: sliding-window-log}]",
            "rule a: rate: sliding-window-log has no burst"),
        bad(
            "rules: [{name: a, limit: 0, window: 1s, burst: 5}]",
            "rule a: burst: a limit of 0 denies always"),
        bad(
            "rules: [{name: a, rate: \"0/s, burst 1\"}]",
            "rule a: rate: a limit of 0 denies always"),
        bad(
            "rules: [{name: a, limit: 5, window: 1s, burst: 0}]",
            "rule a: burst: the burst must be from 1 to"),
        bad(
            "rules: [{name: a, limit: 1, window: 400d, algorithm: token-bucket, burst: 1000000000000}]",
            "rule a: limit: "),
        bad(
            "rules: [{name: a, limits: [{name: x, rate: 5/s}], limit: 5}]",
            "rule a: limit: stands beside limits"),
        bad(
            "rules: [{name: a, limits: 5/s}]",
            "rule a: limits: must be a list of at least one limit, not text"),
        bad(
            "rules: [{name: a, limits: []}]",
            "rule a: limits: must be a list of at least one limit"),
        bad(
            "rules: [{name: a, limits: [5/s]}]",
            "rule a: limits[0]: must be a mapping of fields, not text"),
        bad(
            "rules: [{name: a, limits: [{rate: 5/s}, {name: y, rate: 9/m}]}]",
            "rule a: limits[0].name: is missing"),
        bad(
            "rules: [{name: a, limits: [{name: x, rate: 5/s}, {name: x, rate: 9/m}]}]",
            "rule a: limits[1].name: is the name of another limit"),
        bad("rules: [{name: a, limits: [{name: x, rate: 5}]}]", "rule a: limits[0].rate: "),
        bad(
            "rules: [{name: a, limits: [{name: x, rate: 5/s, cost: 2}]}]",
            "rule a: limits[0].\"cost\": is not a known field"));
  }

  static Stream<Arguments> rates() {
    return Stream.of(
        bad(
            "rules: [{name: search, rate: 1000/minute, burst 200}]",
            "rule search: \"burst 200\": is no field: YAML tore a short form apart at its comma; put it in quotes"),
        bad("rules: [{name: a, rate: 5}]", "rule a: rate: must be N/unit or N/unit, burst B"),
        bad(
            "rules: [{name: a, rate: 5/}]",
            "rule a: rate: has no unit; known are ms, s, second, m, minute, h, hour, d, day"),
        bad("rules: [{name: a, rate: 5/10}]", "rule a: rate: has no unit"),
        bad(
            "rules: [{name: a, rate: 5/MINUTEZ}]",
            "rule a: rate: has the unknown unit \"MINUTEZ\""),
        bad(
            "rules: [{name: a, rate: 5/minutes}]",
            "rule a: rate: has the unknown unit \"minutes\""),
        bad("rules: [{name: a, rate: 5/month}]", "rule a: rate: has the unknown unit \"month\""),
        bad(
            "rules: [{name: a, rate: -5/s}]",
            "rule a: rate: the number before the slash must be a whole number"),
        bad(
            "rules: [{name: a, rate: /s}]",
            "rule a: rate: the number before the slash must be a whole number"),
        bad("rules: [{name: a, rate: 5/0s}]", "rule a: rate: must be from 1ms to 400d"),
        bad("rules: [{name: a, rate: 5/401day}]", "rule a: rate: must be from 1ms to 400d"),
        bad("rules: [{name: a, rate: \"5/s, burst\"}]", "rule a: rate: "),
        bad("rules: [{name: a, rate: \"5/s burst 2\"}]", "rule a: rate: "),
        bad(
            "rules: [{name: a, rate: \"5/s, burst -2\"}]",
            "rule a: rate: burst must be a whole number"),
        bad("rules: [{name: a, rate: \"5/s, burst 2, burst 3\"}]", "rule a: rate: "),
        bad("rules: [{name: a, rate: 5/s, limit: 5}]", "rule a: limit: stands beside rate"),
        bad("rules: [{name: a, rate: 5/s, window: 5s}]", "rule a: window: stands beside rate"),
        bad(
            "rules: [{name: a, rate: \"5/s, burst 2\", burst: 3}]",
            "rule a: burst: stands beside a rate"),
        bad("rules: [{name: a, rate: Unlimited}]", "rule a: rate: must be N/unit"),
        bad(
            "rules: [{name: a, rate: \"" + " ".repeat(5_000) + "\"}]",
            "rule a: rate: must not be longer than 2048"));
  }

  static Stream<Arguments> matches() {
    return Stream.of(
        bad(
            "rules: [{name: a, match: /x, rate: 5/s}]",
            "rule a: match: must be a mapping of fields, not text"),
        bad(
            "rules: [{name: a, match: {route: x}, rate: 5/s}]",
            "rule a: match.route: \"x\" is not METHOD PATH or PATH"),
        bad(
            "rules: [{name: a, match: {route: get /x}, rate: 5/s}]",
            "rule a: match.route: \"get /x\" has a method"),
        bad(
            "rules: [{name: a, match: {route: \"/x/**/y\"}, rate: 5/s}]",
            "rule a: match.route: \"/x/**/y\" has ** before"),
        bad(
            "rules: [{name: a, match: {route: [/x, absent]}, rate: 5/s}]",
            "rule a: match.route: has absent among other values"),
        bad(
            "rules: [{name: a, match: {route: []}, rate: 5/s}]",
            "rule a: match.route: must not be an empty list"),
        bad(
            "rules: [{name: a, match: {ip: 10.0.0.1/8}, rate: 5/s}]",
            "rule a: match.ip: \"10.0.0.1/8\" has bits set after its prefix; the block is 10.0.0.0/8"),
        bad(
            "rules: [{name: a, match: {ip: localhost}, rate: 5/s}]",
            "rule a: match.ip: \"localhost\" is not an address"),
        bad(
            "rules: [{name: a, match: {ip: [1.1.1.1, 1.1.1.1]}, rate: 5/s}]",
            "rule a: match.ip: has \"1.1.1.1\" twice"),
        bad(
            "rules: [{name: a, match: {tier: }, rate: 5/s}]",
            "rule a: match.tier: must be a single value, not nothing"),
        bad(
            "rules: [{name: a, match: {tier: \"\"}, rate: 5/s}]",
            "rule a: match.tier: must not be empty"),
        bad(
            "rules: [{name: a, match: {tier: {a: b}}, rate: 5/s}]",
            "rule a: match.tier: must be a single value, not a mapping"),
        bad(
            "rules: [{name: a, match: {client: absent}, rate: 5/s}]",
            "rule a: match.client: is in every check"),
        bad(
            "rules: [{name: a, match: {plan: x}, rate: 5/s}]",
            "rule a: match.\"plan\": is not a known field"),
        bad(
            "rules: [{name: a, match: {teir: x}, rate: 5/s}]",
            "rule a: match.\"teir\": is not a known field; did you mean tier?"),
        bad(
            "rules: [{name: a, match: {tier: a, tier: b}, rate: 5/s}]",
            "rule a: match.\"tier\": stands here twice"));
  }

  static Stream<Arguments> others() {
    return Stream.of(
        bad("rules: [{name: a, by: plan, rate: 5/s}]", "rule a: by: \"plan\" is not an attribute"),
        bad("rules: [{name: a, by: clinet, rate: 5/s}]", "did you mean client?"),
        bad(
            "rules: [{name: a, by: [client, global], rate: 5/s}]",
            "rule a: by: has global among others"),
        bad("rules: [{name: a, by: [ip, ip], rate: 5/s}]", "rule a: by: has \"ip\" twice"),
        bad("rules: [{name: a, by: [], rate: 5/s}]", "rule a: by: must not be an empty list"),
        bad(
            "rules: [{name: a, action: allow}]",
            "rule a: action: must be one of exempt, deny, unlimited, not \"allow\""),
        bad(
            "rules: [{name: a, action: exempt, limit: 5}]",
            "rule a: limit: has no meaning with action: exempt"),
        bad(
            "rules: [{name: a, action: deny, rate: 5/s}]",
            "rule a: rate: has no meaning with action: deny"),
        bad(
            "rules: [{name: a, action: unlimited, rate: 5/s}]",
            "rule a: rate: has no meaning with action: unlimited"),
        bad(
            "rules: [{name: a, action: deny, shadow: true}]",
            "rule a: shadow: has no meaning with action: deny"),
        bad(
            "rules: [{name: a, rate: unlimited, burst: 5}]",
            "rule a: burst: has no meaning with action: unlimited"),
        bad(
            "rules: [{name: a, rate: 5/s, cost: 0}]",
            "rule a: cost: must be a whole number from 1 to"),
        bad(
            "rules: [{name: a, rate: 5/s, stage: 0}]",
            "rule a: stage: must be a whole number from 1 to 100"),
        bad(
            "rules: [{name: a, rate: 5/s, priority: -1}]",
            "rule a: priority: must be a whole number from 0 to"),
        bad(
            "rules: [{name: a, rate: 5/s, shadow: yes}]",
            "rule a: shadow: must be one of true, false, not \"yes\""),
        bad(
            "rules: [{name: a, rate: 5/s, status: 500}]",
            "rule a: status: must be one of 429, 503, not \"500\""),
        bad(
            "rules: [{name: a, rate: 5/s, group: \"a b\"}]",
            "rule a: group: must be 1 to 256 letters"),
        bad(
            "rules: [{name: a, rate: 5/s, purpose: fun}]",
            "rule a: purpose: must be one of capacity, fairness, abuse"),
        bad(
            "rules: [{name: a, rate: 5/s, durability: yes}]",
            "rule a: durability: must be one of async, sync, none"),
        bad(
            "rules: [{name: a, rate: 5/s, on_state_lost: no}]",
            "rule a: on_state_lost: must be one of fresh, prorated, spent"),
        bad(
            "rules: [{name: a, rate: 5/s, on_partition: x}]",
            "rule a: on_partition: must be one of share, closed, open, strict"),
        bad(
            "rules: [{name: a, rate: 5/s, on_unavailable: fail}]",
            "rule a: on_unavailable: must be one of local, open, closed"),
        bad(
            "rules: [{name: a, rate: 5/s, local_fraction: 0}]",
            "rule a: local_fraction: must be a decimal from 0.000001 to 1"),
        bad(
            "rules: [{name: a, rate: 5/s, local_fraction: 1.5}]",
            "rule a: local_fraction: must be a decimal"),
        bad(
            "rules: [{name: a, rate: 5/s, local_fraction: 0.0000001}]",
            "rule a: local_fraction: must be a decimal"),
        bad(
            "rules: [{name: a, rate: 5/s, local_fraction: 20%}]",
            "rule a: local_fraction: must be a decimal"),
        bad("rules: [{name: a, rate: 5/s, local: 0/s}]", "rule a: local: must let at least 1 pass"),
        bad("rules: [{name: a, rate: 5/s, local: 3}]", "rule a: local: must be N/unit"),
        bad("rules: [{name: a, rate: 5/s, local: \"3/s, burst 2\"}]", "rule a: local: "),
        bad(
            "rules: [{name: a, rate: 5/s, local: 3/s, local_fraction: 0.5}]",
            "rule a: local: stands beside local_fraction"),
        bad(
            "rules: [{name: a, rate: 5/s, local: 3/s, on_unavailable: open}]",
            "rule a: local: has no meaning unless on_unavailable is local"),
        bad(
            "attributes: [client]\nrules: [{name: a, rate: 5/s}]",
            "rules.yaml:1: attributes: \"client\" is built in"),
        bad(
            "attributes: [a b]\nrules: [{name: a, rate: 5/s}]",
            "attributes: \"a b\" is not a name"),
        bad(
            "attributes: {a: b}\nrules: [{name: a, rate: 5/s}]",
            "attributes: must be a single value, not a mapping"),
        bad("rules: [{name: a, rate: 5/s}]\nrulesets: [a]", "rulesets: must be a mapping"),
        bad(
            "rules: [{name: a, rate: 5/s}]\nrulesets: {x: [b]}",
            "rulesets.x: \"b\" is not a rule of this file"),
        bad(
            "rules: [{name: a, rate: 5/s}]\nrulesets: {x: []}",
            "rulesets.x: must not be an empty list"),
        bad(
            "rules: [{name: a, rate: 5/s}]\nrulesets: {x y: [a]}",
            "rulesets: \"x y\" is not a name"));
  }

  static Stream<Arguments> conflicts() {
    return Stream.of(
        bad(
            "rules:\n- {name: a, rate: 5/s}\n- {name: b, rate: 9/s}",
            "rules.yaml:3: rule b: priority: ties with rule a"),
        bad(
            "rules: [{name: a, match: {user: absent}, by: user, rate: 5/s}]",
            "rule a: by: counts by user, which its match wants absent"));
  }

  @Test
  void severalMistakesAreNamedAtOnceAndTheirNumberIsBounded() {
    ConfigException some =
        assertThrows(
            ConfigException.class,
            () ->
                RulesFileTest.parse(
                    "rules: [{name: a, limit: x, window: 5, cost: 0, by: y, z: 1}]"));
    assertEquals(5, some.problems().size());

    String many = "rules:\n" + "- {name: a, limit: x, window: 5}\n".repeat(500);
    ConfigException cut = assertThrows(ConfigException.class, () -> RulesFileTest.parse(many));
    assertEquals(Problems.MAX + 1, cut.problems().size());
    assertTrue(cut.problems().get(Problems.MAX).matches("and [0-9]+ more"));
  }

  @Test
  void bytesThatAreNotUtf8AreRefused() {
    byte[] latin = "rules: [{name: café, rate: 5/s}]".getBytes(StandardCharsets.ISO_8859_1);

    ConfigException refused =
        assertThrows(ConfigException.class, () -> RulesFile.parse("rules.yaml", latin));

    assertEquals(List.of("rules.yaml: is not UTF-8"), refused.problems());
  }

  @Test
  void aFileThatCannotBeReadIsNamed(@TempDir Path directory) throws Exception {
    Path missing = directory.resolve("none.yaml");
    ConfigException refused = assertThrows(ConfigException.class, () -> RulesFile.load(missing));
    assertEquals(List.of(missing + ": there is no such file"), refused.problems());

    assertThrows(ConfigException.class, () -> RulesFile.load(directory));
    Path large = Files.write(directory.resolve("large"), new byte[YamlText.MAX_BYTES + 1]);
    assertThrows(ConfigException.class, () -> RulesFile.load(large));
  }

  @Test
  void nothingInAMessageMovesTheCursor() {
    String text = "rules: [{name: a, limit: \"1\\e[2J\\n\\u2028\", window: 1s}]";
    ConfigException refused = assertThrows(ConfigException.class, () -> RulesFileTest.parse(text));

    for (String problem : refused.problems()) {
      assertFalse(problem.chars().anyMatch(c -> c < ' ' || c >= 0x7f), problem);
    }
  }

  private static Arguments bad(String text, String problem) {
    return Arguments.of(text, problem);
  }
}
