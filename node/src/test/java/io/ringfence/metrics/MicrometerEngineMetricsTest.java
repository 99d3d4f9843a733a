package io.ringfence.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.algorithms.Kind;
import io.ringfence.engine.Certainty;
import io.ringfence.engine.EngineMetrics.Passage;
import io.ringfence.engine.EngineMetrics.Path;
import io.ringfence.engine.FallbackMode;
import io.ringfence.engine.LimitVerdict;
import io.ringfence.engine.LimitVerdict.Answer;
import io.ringfence.engine.SlotCounts;
import io.ringfence.engine.SlotOpened;
import io.ringfence.engine.Verdict;
import io.ringfence.membership.MemberId;
import io.ringfence.rules.Action;
import io.ringfence.rules.FailurePolicy;
import io.ringfence.rules.Limit;
import io.ringfence.rules.Match;
import io.ringfence.rules.Rule;
import io.ringfence.rules.RuleSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a check counts, and which series there are. */
class MicrometerEngineMetricsTest {
  private static final long SECOND = 1_000_000_000L;

  private final PrometheusPage page = new PrometheusPage();
  private final MicrometerEngineMetrics metrics = new MicrometerEngineMetrics(page.registry());

  private static Rule rule(String name, int index, boolean shadow, Kind... kinds) {
    List<Limit> limits = new ArrayList<>();
    for (Kind kind : kinds) {
      long id = index * 100L + limits.size();
      Algorithm algorithm = Algorithm.of(kind, 10, 60 * SECOND, kind.defaultBurst(10));
      limits.add(new Limit(id, kinds.length > 1 ? "l" + limits.size() : null, algorithm, "60s"));
    }
    return new Rule(
        name,
        Match.ANY,
        List.of("client"),
        new Rule.Order(name, 1, 0, index),
        new Rule.Effect(
            kinds.length == 0 ? Action.EXEMPT : Action.LIMIT,
            limits,
            1,
            new Rule.Presentation(shadow, 429),
            FailurePolicy.DEFAULT));
  }

  private static LimitVerdict says(Rule rule, int limit, boolean allowed, Certainty certainty) {
    return new LimitVerdict(
        rule,
        rule.effect().limits().get(limit),
        new Answer(allowed, 10, allowed ? 5 : 0, allowed ? 0 : SECOND, 0, 0, certainty));
  }

  private static Verdict verdict(boolean allowed, LimitVerdict... limits) {
    return new Verdict(allowed, Certainty.EXACT, "n1", List.of(limits), null);
  }

  private Exposition scrape() {
    return Exposition.parse(page.text());
  }

  private @Nullable Double value(String series) {
    return scrape().value(series);
  }

  @Test
  void C32_onlyTheDecidingRuleCountsTheDenial() {
    Rule items = rule("items", 0, false, Kind.FIXED_WINDOW);
    Rule user = rule("user", 1, false, Kind.FIXED_WINDOW);
    Rule root = rule("root", 2, false, Kind.FIXED_WINDOW);
    metrics.rulesInForce(new RuleSet("v", List.of(items, user, root)));
    metrics.checked(
        verdict(
            true,
            says(items, 0, true, Certainty.EXACT),
            says(user, 0, true, Certainty.EXACT),
            says(root, 0, true, Certainty.EXACT)),
        new Passage(Path.LOCAL, false, 1_000));
    metrics.checked(
        verdict(
            false,
            says(items, 0, false, Certainty.EXACT),
            says(user, 0, true, Certainty.EXACT),
            says(root, 0, true, Certainty.EXACT)),
        new Passage(Path.FORWARD, false, 1_000));

    for (String name : List.of("items", "user", "root")) {
      assertEquals(1, value("rate_limit_allowed_total{rule=\"" + name + "\"}"));
      assertEquals(
          2,
          value(
              "rate_limit_checks_total{algorithm=\"fixed-window\",certainty=\"exact\",rule=\""
                  + name
                  + "\"}"));
      assertEquals(
          name.equals("items") ? 1 : 0,
          value("rate_limit_rejected_total{reason=\"limit\",rule=\"" + name + "\"}"));
    }
    assertEquals(1, value("rate_limit_latency_seconds_count{path=\"local\"}"));
    assertEquals(1, value("rate_limit_latency_seconds_count{path=\"forward\"}"));
  }

  @Test
  void aRuleOfSeveralLimitsCountsOnceUnderTheLeastSure() {
    Rule free = rule("free", 0, false, Kind.TOKEN_BUCKET, Kind.FIXED_WINDOW);
    metrics.rulesInForce(new RuleSet("v", List.of(free)));
    metrics.checked(
        verdict(
            true, says(free, 0, true, Certainty.EXACT), says(free, 1, true, Certainty.DEGRADED)),
        new Passage(Path.LOCAL, false, 1_000));

    assertEquals(1, value("rate_limit_allowed_total{rule=\"free\"}"));
    assertEquals(
        1,
        value("rate_limit_checks_total{algorithm=\"mixed\",certainty=\"degraded\",rule=\"free\"}"));
    assertEquals(
        0, value("rate_limit_checks_total{algorithm=\"mixed\",certainty=\"exact\",rule=\"free\"}"));
  }

  @Test
  void theReasonOfADenialIsTold() {
    Rule rule = rule("r", 0, false, Kind.GCRA);
    metrics.rulesInForce(new RuleSet("v", List.of(rule)));
    Verdict spent = verdict(false, says(rule, 0, false, Certainty.EXACT));
    metrics.checked(spent, new Passage(Path.LOCAL, false, 1));
    metrics.checked(spent, new Passage(Path.DENY_CACHE, false, 1));
    metrics.checked(
        verdict(false, says(rule, 0, false, Certainty.CLOSED)), new Passage(Path.LOCAL, false, 1));
    metrics.checked(
        verdict(false, says(rule, 0, false, Certainty.DEGRADED)),
        new Passage(Path.FORWARD, true, 1));
    for (String reason : List.of("limit", "deny_cache", "closed", "overflow")) {
      assertEquals(
          1, value("rate_limit_rejected_total{reason=\"" + reason + "\",rule=\"r\"}"), reason);
    }
  }

  @Test
  void aShadowRuleCountsWhatItWouldHaveDenied() {
    Rule trial = rule("trial", 0, true, Kind.GCRA);
    metrics.rulesInForce(new RuleSet("v", List.of(trial)));
    metrics.checked(
        verdict(true, says(trial, 0, false, Certainty.EXACT)), new Passage(Path.LOCAL, false, 1));
    metrics.checked(
        verdict(true, says(trial, 0, true, Certainty.EXACT)), new Passage(Path.LOCAL, false, 1));

    assertEquals(1, value("rate_limit_shadow_rejected_total{rule=\"trial\"}"));
    assertEquals(0, value("rate_limit_allowed_total{rule=\"trial\"}"));
    assertEquals(0, value("rate_limit_rejected_total{reason=\"limit\",rule=\"trial\"}"));
    assertEquals(0, value("rate_limit_unmatched_total"));
  }

  @Test
  void whatMeetsNoCounterIsCountedToo() {
    Rule probes = rule("probes", 0, false);
    metrics.rulesInForce(new RuleSet("v", List.of(probes)));
    metrics.checked(verdict(true), new Passage(Path.LOCAL, false, 1));
    metrics.checked(
        new Verdict(true, Certainty.EXACT, null, List.of(), probes),
        new Passage(Path.LOCAL, false, 1));
    metrics.checked(
        new Verdict(false, Certainty.EXACT, null, List.of(), probes),
        new Passage(Path.LOCAL, false, 1));

    assertEquals(1, value("rate_limit_unmatched_total"));
    assertEquals(1, value("rate_limit_allowed_total{rule=\"probes\"}"));
    assertEquals(1, value("rate_limit_rejected_total{reason=\"deny\",rule=\"probes\"}"));
    assertEquals(
        2,
        value("rate_limit_checks_total{algorithm=\"none\",certainty=\"exact\",rule=\"probes\"}"));
  }

  @Test
  void C30_keysMakeNoSeries() {
    Rule rule = rule("r", 0, false, Kind.FIXED_WINDOW);
    metrics.rulesInForce(new RuleSet("v", List.of(rule)));
    metrics.peers(List.of("n2", "n3"));
    metrics.checked(
        verdict(true, says(rule, 0, true, Certainty.EXACT)), new Passage(Path.LOCAL, false, 1_000));
    int before = scrape().seriesCount();
    List<Path> paths = List.of(Path.values());
    List<Certainty> certainties = List.of(Certainty.values());
    List<FallbackMode> modes = List.of(FallbackMode.values());
    for (int key = 0; key < 10_000; key++) {
      boolean allowed = key % 3 != 0;
      Path path = paths.get(key % paths.size());
      Certainty certainty = certainties.get(key % certainties.size());
      metrics.checked(
          verdict(allowed, says(rule, 0, allowed, certainty)), new Passage(path, false, key));
      metrics.fallback(rule, modes.get(key % modes.size()), allowed);
      metrics.backendError(new MemberId("n" + (2 + key % 2), key));
      metrics.forwarded(key);
    }
    assertEquals(before, scrape().seriesCount());
    assertEquals(Set.of("r"), scrape().tags("rule"));
  }

  @Test
  void seriesOfRulesThatGoGoWithThem() {
    Rule kept = rule("kept", 0, false, Kind.GCRA);
    Rule gone = rule("gone", 1, false, Kind.GCRA);
    metrics.rulesInForce(new RuleSet("v1", List.of(kept, gone)));
    metrics.checked(
        verdict(true, says(kept, 0, true, Certainty.EXACT)), new Passage(Path.LOCAL, false, 1));
    Rule changed = rule("kept", 0, false, Kind.TOKEN_BUCKET);
    metrics.rulesInForce(new RuleSet("v2", List.of(changed)));

    assertEquals(Set.of("kept"), scrape().tags("rule"));
    assertEquals(Set.of("token-bucket"), scrape().tags("algorithm"));
    assertEquals(1, value("rate_limit_allowed_total{rule=\"kept\"}"));

    // A check that was under way counts, and leaves nothing behind after the next change.
    metrics.checked(
        verdict(true, says(gone, 0, true, Certainty.EXACT)), new Passage(Path.LOCAL, false, 1));
    assertEquals(1, value("rate_limit_allowed_total{rule=\"gone\"}"));
    metrics.rulesInForce(new RuleSet("v3", List.of(changed)));
    assertEquals(Set.of("kept"), scrape().tags("rule"));
  }

  @Test
  void membersThatComeAndGoLeaveNoSeries() {
    for (int i = 0; i < 50; i++) {
      metrics.peers(List.of("steady", "n" + i));
      metrics.backendError(new MemberId("n" + i, i));
    }
    metrics.backendError(new MemberId("n3", 7));
    metrics.backendError(new MemberId("steady", 1));
    metrics.peers(List.of("steady"));

    assertEquals(Set.of("steady", "departed"), scrape().tags("peer"));
    assertEquals(1, value("rate_limit_backend_errors_total{peer=\"steady\"}"));
    assertEquals(1, value("rate_limit_backend_errors_total{peer=\"departed\"}"));
  }

  @Test
  void gaugesAreReadWhenLookedAt() {
    long[] now = {7, 42};
    boolean[] degraded = {false};
    boolean[] full = {true};
    boolean[] leased = {true};
    NodeGauges.Views views =
        new NodeGauges.Views(() -> leased[0], () -> 2, () -> 9, () -> 3, () -> 1);
    SlotCounts[] slots = {new SlotCounts(5_400, 7, 6, 5, 310)};
    NodeGauges.Custody custody =
        new NodeGauges.Custody(() -> slots[0], () -> 12_500_000, () -> 1_500_000_000);
    NodeGauges.Detours detours = new NodeGauges.Detours(() -> 2, () -> 4_711);
    metrics.gauges(
        new NodeGauges(
            () -> now[0], () -> now[1], () -> full[0], () -> degraded[0], views, detours, custody));
    assertEquals(7, value("ringfence_epoch"));
    assertEquals(42, value("ringfence_keys"));
    assertEquals(0, value("ringfence_degraded"));
    assertEquals(1, value("ringfence_table_full"));
    now[0] = 8;
    degraded[0] = true;
    assertEquals(8, value("ringfence_epoch"));
    assertEquals(1, value("ringfence_degraded"));
    assertEquals(1, value("ringfence_lease"));
    leased[0] = false;
    assertEquals(0, value("ringfence_lease"));
    assertEquals(2, value("ringfence_lease_lapses_total"));
    assertEquals(9, value("ringfence_views_total"));
    assertEquals(3, value("ringfence_voters"));
    assertEquals(1, value("ringfence_members_away"));
    assertEquals(2, value("ringfence_detours"));
    assertEquals(4_711, value("ringfence_relayed_total"));
    assertEquals(1.5, value("ringfence_checkpoint_age_seconds"));
    assertEquals(5_400, value("ringfence_slots{state=\"open\"}"));
    assertEquals(7, value("ringfence_slots{state=\"awaited\"}"));
    assertEquals(6, value("ringfence_slots{state=\"leaving\"}"));
    assertEquals(5, value("ringfence_slots{state=\"unprotected\"}"));
    assertEquals(310, value("ringfence_copies"));
    assertEquals(0.0125, value("ringfence_replication_lag_seconds"));
    slots[0] = new SlotCounts(5_407, 0, 0, 0, 311);
    assertEquals(0, value("ringfence_slots{state=\"awaited\"}"));
  }

  @Test
  void slotsThatOpenAndDebitsAreCounted() {
    for (SlotOpened how : SlotOpened.values()) {
      assertEquals(0, value("ringfence_slots_opened_total{how=\"" + how.text() + "\"}"));
    }
    metrics.slotOpened(SlotOpened.PASSED);
    metrics.slotOpened(SlotOpened.RECOVERED);
    metrics.slotOpened(SlotOpened.PASSED);
    metrics.debited(3);
    metrics.debited(4);
    assertEquals(2, value("ringfence_slots_opened_total{how=\"passed\"}"));
    assertEquals(1, value("ringfence_slots_opened_total{how=\"recovered\"}"));
    assertEquals(0, value("ringfence_slots_opened_total{how=\"lost\"}"));
    assertEquals(7, value("ringfence_debits_total"));
  }

  @Test
  void reloadsOverflowsAndDefectsAreCounted() {
    metrics.rulesReloaded(true);
    metrics.rulesReloaded(false);
    metrics.rulesReloaded(false);
    metrics.overflow("keys");
    metrics.defect("endpoint");
    assertEquals(1, value("ringfence_rules_reload_total{result=\"success\"}"));
    assertEquals(2, value("ringfence_rules_reload_total{result=\"failure\"}"));
    assertEquals(1, value("ringfence_overflow_total{bound=\"keys\"}"));
    assertEquals(1, value("ringfence_defects_total{part=\"endpoint\"}"));
  }

  @Test
  void latencyIsAHistogram() {
    metrics.checked(verdict(true), new Passage(Path.LOCAL, false, 300_000));
    Exposition page = scrape();
    assertEquals(0, page.value("rate_limit_latency_seconds_bucket{path=\"local\",le=\"2.5E-4\"}"));
    assertEquals(1, page.value("rate_limit_latency_seconds_bucket{path=\"local\",le=\"5.0E-4\"}"));
    assertEquals(1, page.value("rate_limit_latency_seconds_bucket{path=\"local\",le=\"+Inf\"}"));
    assertFalse(page.names().isEmpty());
  }
}
