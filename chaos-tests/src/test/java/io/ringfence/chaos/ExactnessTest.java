package io.ringfence.chaos;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ringfence.chaos.cluster.Cluster;
import io.ringfence.chaos.load.Ledger;
import io.ringfence.chaos.load.LimitUnderTest;
import io.ringfence.chaos.load.Load;
import io.ringfence.chaos.load.LoadPlan;
import io.ringfence.chaos.load.LoadSettings;
import io.ringfence.chaos.load.Shape;
import io.ringfence.chaos.load.Shot;
import io.ringfence.chaos.wire.Call;
import io.ringfence.chaos.wire.Certainty;
import io.ringfence.chaos.wire.CheckAnswer;
import io.ringfence.chaos.wire.CheckRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Sixty connections over three processes in calm weather: each counter admits what one counter in
 * one place would. The deadline is so long that no check is answered by policy, however busy the
 * machine is; answers that are not exact fail the test on their own.
 */
@Tag("processes")
class ExactnessTest {
  private static final long LIMIT = 50;
  private static final long SMALL_LIMIT = 20;
  private static final int CONNECTIONS = 60;
  private static final int BURST = 30;
  private static final String CONFIG = "forward: {deadline: 20s}\n" + Trio.LONG_LEASE;

  private static Cluster cluster;

  @BeforeAll
  static void start() {
    StringBuilder rules = new StringBuilder("rules:\n");
    for (Shape shape : Shape.values()) {
      rules.append(
          "  - {name: %1$s, match: {route: \"GET /%1$s\"}, by: client, %2$s}\n"
              .formatted(shape.configName(), hourly(shape, LIMIT).yaml()));
    }
    String window = hourly(Shape.FIXED_WINDOW, LIMIT).yaml();
    String small = hourly(Shape.FIXED_WINDOW, SMALL_LIMIT).yaml();
    rules.append(
        """
          - {name: address, match: {route: "GET /address"}, by: ip, %1$s}
          - {name: pair, match: {route: ["GET /pair/a", "GET /pair/b"]}, by: [client, route], %1$s}
          - {name: two, match: {route: "GET /two"}, by: client, limits: [{name: large, %1$s},
              {name: small, %2$s}]}
          - {name: narrow, match: {route: "GET /both"}, by: client, %1$s}
          - {name: wide, match: {route: "GET /both"}, by: ip, %2$s}
          - {name: once, match: {route: "GET /once"}, by: client, algorithm: fixed-window,
              limit: 1, window: 60s}
        """
            .formatted(window, small));
    cluster = Trio.of("exactness", CONFIG, rules.toString()).startInTurn();
    cluster.awaitWholeView();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static LimitUnderTest hourly(Shape shape, long limit) {
    return new LimitUnderTest(shape, limit, Duration.ofHours(1));
  }

  private static Ledger fire(LimitUnderTest limit, List<Shot> shots, int checksEach) {
    Ledger ledger = new Ledger(limit);
    Load.run(
        cluster.http("n1", "n2", "n3"),
        LoadPlan.each(shots, checksEach, Math.min(BURST, checksEach)),
        LoadSettings.calm(CONNECTIONS),
        ledger);
    return ledger;
  }

  private static void assertExact(String what, Ledger ledger, int counters, int checks) {
    Trio.measured(what, ledger.summary());
    assertAll(
        () -> assertEquals(List.of(), ledger.countProblems()),
        () -> assertEquals(List.of(), ledger.waitProblems()),
        () -> assertEquals(counters, ledger.counters().size()),
        () -> assertEquals(checks, ledger.answered()),
        () -> assertEquals(checks, ledger.answered(Certainty.EXACT)));
  }

  private static List<Shot> clients(int count, String route) {
    return IntStream.range(0, count)
        .mapToObj(i -> Shot.of("k" + i, new CheckRequest("k" + i, route)))
        .toList();
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void everyClientIsAdmittedExactlyItsLimitOverAllNodes(Shape shape) {
    int clients = shape == Shape.FIXED_WINDOW ? 200 : 100;
    int checksEach = 150;
    List<Shot> shots = clients(clients, "GET /" + shape.configName());
    Ledger ledger = fire(hourly(shape, LIMIT), shots, checksEach);
    assertExact(shape.configName(), ledger, clients, clients * checksEach);
    assertEquals(
        ledger.answered(200),
        sumOverNodes("rate_limit_allowed_total", shape.configName()),
        "each admission is counted once in the cluster");
    assertEquals(
        ledger.answered(),
        sumOverNodes("rate_limit_checks_total", shape.configName()),
        "each check is counted once in the cluster");
  }

  private static long sumOverNodes(String series, String rule) {
    long sum = 0;
    for (String node : Trio.NAMES) {
      String page = cluster.node(node).call(Call.get("/metrics")).body();
      for (String line : page.lines().toList()) {
        if (line.startsWith(series + "{") && line.contains("rule=\"" + rule + "\"")) {
          sum += (long) Double.parseDouble(line.substring(line.lastIndexOf('}') + 1).strip());
        }
      }
    }
    return sum;
  }

  @Test
  void manyClientsBehindOneAddressShareItsLimit() {
    List<Shot> shots = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      String address = "203.0.113." + i % 3;
      shots.add(Shot.of(address, new CheckRequest("c" + i, "GET /address").with("ip", address)));
    }
    Ledger ledger = fire(hourly(Shape.FIXED_WINDOW, LIMIT), shots, 2);
    assertExact("by ip, 600 clients, 3 addresses", ledger, 3, 1_200);
  }

  @Test
  void aClientHasALimitForEachRoute() {
    List<Shot> shots = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      for (String path : List.of("/pair/a", "/pair/b")) {
        shots.add(Shot.of("k" + i + path, new CheckRequest("k" + i, "GET " + path)));
      }
    }
    Ledger ledger = fire(hourly(Shape.FIXED_WINDOW, LIMIT), shots, 90);
    assertExact("by client and route", ledger, 60, 60 * 90);
  }

  @Test
  void aDenialByOneOfTwoLimitsOfARuleChargesNothingToTheOther() {
    List<Shot> shots = clients(30, "GET /two");
    Ledger ledger = fire(hourly(Shape.FIXED_WINDOW, SMALL_LIMIT), shots, 90);
    assertExact("two limits of a rule", ledger, 30, 30 * 90);
    for (Shot shot : shots) {
      CheckAnswer peek = cluster.node("n1").peek(new CheckRequest(shot.counter(), "GET /two"));
      if (peek.resetAtMillis().orElse(0) == ledger.onlyWindow(shot.counter())) {
        assertEquals(LIMIT - SMALL_LIMIT, peek.remainingOf("large"), peek::toString);
      }
    }
  }

  @Test
  void aDenialByAnotherRuleChargesNothingOnceItsCancelHasArrived() {
    CheckRequest request = new CheckRequest("narrow", "GET /both").with("ip", "198.51.100.1");
    Ledger ledger =
        fire(hourly(Shape.FIXED_WINDOW, SMALL_LIMIT), List.of(Shot.of("wide", request)), 90);
    assertExact("two rules, by client and by ip", ledger, 1, 90);
    CheckRequest narrowAlone = new CheckRequest("narrow", "GET /both");
    cluster.await(
        "the cancels of denied checks",
        Cluster.PATIENCE,
        () -> {
          CheckAnswer peek = cluster.node("n2").peek(narrowAlone);
          boolean sameWindow = peek.resetAtMillis().orElse(0) == ledger.onlyWindow("wide");
          return !sameWindow || peek.remaining() == LIMIT - ledger.answered(200);
        });
  }

  /** With three nodes; whichever is asked, the others' answers count. */
  @Test
  void C09_checkThenActOverSeveralNodes() {
    Ledger once = new Ledger(new LimitUnderTest(Shape.FIXED_WINDOW, 1, Duration.ofSeconds(60)));
    List<Shot> shots = List.of(Shot.of("k", new CheckRequest("c09", "GET /once")));
    Load.run(
        cluster.http("n1", "n2", "n3"),
        LoadPlan.each(shots, 30, BURST),
        LoadSettings.calm(30),
        once);
    assertExact("C09", once, 1, 30);
  }
}
