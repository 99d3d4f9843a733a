package io.ringfence.engine;

import static io.ringfence.engine.YamlRules.rules;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.rules.Request;
import io.ringfence.rules.RuleSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is kept across a restart of all nodes, and what becomes of it. */
class CheckpointTest {
  private static final int CLIENTS = 60;
  private static final String[] ALL = {"n1", "n2", "n3"};

  private static RuleSet anHour(String more) {
    return rules("rules: [{name: a, by: client, rate: 10/hour%s}]".formatted(more));
  }

  /** Three nodes that keep counters, where each client has used four. */
  private static Cluster used(RuleSet rules) {
    Cluster cluster = new Cluster(rules);
    for (String name : ALL) {
      cluster.add(name);
      cluster.engine(name).restarted(null);
    }
    cluster.install(cluster.nextView(ALL), ALL);
    for (int i = 0; i < CLIENTS; i++) {
      assertTrue(cluster.check("n" + (1 + i % 3), Request.of("c" + i), 4).allowed());
    }
    return cluster;
  }

  /** Takes over what a node would write now. */
  private static SavedSlots save(Cluster cluster, String node, SavedSlots saved, boolean all) {
    CheckpointBatch batch = cluster.engine(node).checkpoint(all);
    batch.left().stream().forEach(saved::left);
    batch.opened().stream().forEach(saved::opened);
    batch.forEach(saved::add);
    return saved;
  }

  private static SavedSlots save(Cluster cluster, String node) {
    return save(cluster, node, new SavedSlots(), true);
  }

  /** One node after the other starts and joins, with what was saved; null for a first start. */
  private static Cluster start(RuleSet rules, List<@Nullable SavedSlots> saved, String... order) {
    Cluster cluster = new Cluster(rules);
    List<String> there = new ArrayList<>();
    for (int i = 0; i < order.length; i++) {
      cluster.add(order[i]);
      cluster.engine(order[i]).restarted(saved.get(i));
      String[] before = there.toArray(String[]::new);
      there.add(order[i]);
      String[] with = there.toArray(String[]::new);
      if (i > 0) {
        cluster.installAndSettle(cluster.joiningView(order[i], before), with);
      }
      cluster.install(cluster.nextView(with), with);
      cluster.time.pass(Duration.ofMillis(500));
    }
    return cluster;
  }

  @ParameterizedTest
  @ValueSource(strings = {"fresh", "prorated", "spent"})
  void E10_aRestartOfAllGoesOnFromWhatWasSaved(String onStateLost) {
    RuleSet rules = anHour(", on_state_lost: " + onStateLost);
    Cluster before = used(rules);
    List<@Nullable SavedSlots> saved = new ArrayList<>();
    for (String name : List.of("n2", "n3", "n1")) {
      saved.add(save(before, name));
    }
    Cluster after = start(rules, saved, "n2", "n3", "n1");
    for (int i = 0; i < CLIENTS; i++) {
      Verdict verdict = after.check("n" + (1 + i % 3), "c" + i);
      assertEquals(Certainty.RECOVERED, verdict.certainty());
      assertEquals(5, verdict.limits().get(0).answer().remaining());
    }
    Verdict unseen = after.check("n1", "of whom nothing was saved");
    assertEquals(Certainty.RECOVERED, unseen.certainty());
    assertEquals(9, unseen.limits().get(0).answer().remaining());
  }

  @Test
  void E10_whatWasChargedBeforeItsNodeIsBackCountsToo() {
    RuleSet rules = anHour(", on_state_lost: spent");
    Cluster before = used(rules);
    String client = before.clientOwnedBy("n1");
    before.check("n2", Request.of(client), 4);
    List<@Nullable SavedSlots> saved = new ArrayList<>();
    for (String name : List.of("n2", "n1")) {
      saved.add(save(before, name));
    }
    Cluster after = new Cluster(rules);
    after.add("n2");
    after.add("n1");
    after.engine("n2").restarted(saved.get(0));
    after.engine("n1").restarted(saved.get(1));
    after.install(after.nextView("n2"), "n2");
    Verdict early = after.check("n2", client);
    assertEquals(Certainty.ASSUMED, early.certainty());
    assertFalse(early.allowed());
    after.ask(Limiter::debit, "n2", new Check(Request.of(client), 1));
    after.installAndSettle(after.joiningView("n1", "n2"), "n1", "n2");
    after.install(after.nextView("n1", "n2"), "n1", "n2");
    Verdict verdict = after.check("n2", client);
    assertEquals(Certainty.RECOVERED, verdict.certainty());
    assertEquals(4, verdict.limits().get(0).answer().remaining());
  }

  @ParameterizedTest
  @ValueSource(strings = {"fresh", "prorated", "spent"})
  void E10_whatBelongsElsewhereByThenIsClaimedThere(String onStateLost) {
    RuleSet rules = anHour(", on_state_lost: " + onStateLost);
    Cluster before = used(rules);
    before.installAndSettle(before.drainingView("n3", "n1", "n2"), ALL);
    before.installAndSettle(before.drainingView("n2", "n1"), "n1", "n2");
    SavedSlots last = save(before, "n1");
    assertEquals(256, last.slots());
    Cluster after =
        start(rules, List.of(new SavedSlots(), new SavedSlots(), last), "n2", "n3", "n1");
    for (int i = 0; i < CLIENTS; i++) {
      Verdict verdict = after.check("n" + (1 + i % 3), "c" + i);
      assertEquals(Certainty.RECOVERED, verdict.certainty());
      assertEquals(5, verdict.limits().get(0).answer().remaining());
    }
  }

  @Test
  void E10_aNodeThatIsBackAmongTheLivingSaysNothing() {
    RuleSet rules = anHour("");
    Cluster cluster = used(rules);
    SavedSlots saved = save(cluster, "n1");
    String client = cluster.clientOwnedBy("n1");
    cluster.time.pass(Duration.ofMillis(50));
    cluster.kill("n1");
    cluster.installAndSettle(cluster.lossView("n2", "n3"), "n2", "n3");
    cluster.install(cluster.nextView("n2", "n3"), "n2", "n3");
    cluster.check("n2", Request.of(client), 3);
    cluster.add("n4"); // the next process of n1 might as well have another place in the ring
    cluster.engine("n4").restarted(saved);
    cluster.installAndSettle(cluster.joiningView("n4", "n2", "n3"), "n2", "n3", "n4");
    cluster.install(cluster.nextView("n2", "n3", "n4"), "n2", "n3", "n4");
    cluster.time.pass(Duration.ofMillis(500));
    assertEquals(6, cluster.check("n2", client).limits().get(0).answer().remaining());
    for (int i = 0; i < CLIENTS; i++) {
      assertEquals(5, cluster.check("n2", "c" + i).limits().get(0).answer().remaining());
    }
  }

  @Test
  void B16_windowsBegunBeforeAStartOfAllAreAssumed() {
    RuleSet rules = anHour(", on_state_lost: prorated");
    Cluster cluster = start(rules, List.of(new SavedSlots()), "n1");
    assertEquals(Certainty.ASSUMED, cluster.check("n1", "c").certainty());
  }

  @Test
  void B16_theFirstStartOfAllMissesNothing() {
    Cluster cluster = start(anHour(""), Collections.singletonList(null), "n1");
    assertEquals(Certainty.EXACT, cluster.check("n1", "c").certainty());
  }

  @Test
  void shortWindowsAreNotKept() {
    RuleSet rules = rules("rules: [{name: a, by: client, rate: 10/minute}]");
    Cluster before = used(rules);
    SavedSlots saved = save(before, "n1");
    assertEquals(0, saved.counters());
    assertTrue(saved.slots() > 0);
    Cluster after = start(rules, List.of(saved), "n1");
    assertEquals(Certainty.ASSUMED, after.check("n1", "c").certainty());
  }

  @Test
  void onlyWhatHasChangedIsWrittenAgain() {
    Cluster cluster = used(anHour(""));
    SavedSlots saved = save(cluster, "n1");
    long counters = saved.counters();
    assertTrue(counters > 0);
    assertTrue(cluster.engine("n1").checkpoint(false).isEmpty());
    String client = cluster.clientOwnedBy("n1");
    cluster.check("n1", client);
    List<SavedCounter> written = new ArrayList<>();
    cluster.engine("n1").checkpoint(false).forEach(written::add);
    assertEquals(1, written.size());
    written.forEach(saved::add);
    assertEquals(counters + 1, saved.counters());
  }

  @Test
  void aSlotThatMovesAwayIsNotKeptHere() {
    Cluster cluster = used(anHour(""));
    SavedSlots n1 = save(cluster, "n1");
    SavedSlots n2 = save(cluster, "n2");
    cluster.installAndSettle(cluster.drainingView("n1", "n2", "n3"), ALL);
    save(cluster, "n1", n1, false);
    assertEquals(0, n1.slots());
    assertEquals(0, n1.counters());
    save(cluster, "n2", n2, false);
    SavedSlots n3 = save(cluster, "n3");
    assertEquals(256, n2.slots() + n3.slots());
    assertEquals(CLIENTS, n2.counters() + n3.counters());
  }

  @Test
  void whatIsSavedAgesWhileNobodyRuns() {
    RuleSet rules =
        rules("rules: [{name: a, by: client, algorithm: token-bucket, rate: 3600/hour}]");
    Cluster before = new Cluster(rules);
    before.add("n1");
    before.engine("n1").restarted(null);
    before.install(before.nextView("n1"), "n1");
    before.check("n1", Request.of("c"), 100);
    SavedSlots saved = save(before, "n1");
    Cluster after = new Cluster(rules);
    after.time.pass(Duration.ofSeconds(30));
    after.add("n1");
    after.engine("n1").restarted(saved);
    after.install(after.nextView("n1"), "n1");
    after.time.pass(Duration.ofMillis(20));
    Verdict verdict = after.check("n1", "c");
    assertEquals(Certainty.RECOVERED, verdict.certainty());
    assertEquals(3600 - 100 + 30 - 1, verdict.limits().get(0).answer().remaining());
  }
}
