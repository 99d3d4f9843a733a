package io.ringfence.engine;

import static io.ringfence.engine.YamlRules.rules;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.rules.Request;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tables stay within their bounds, idle counters leave, live ones never do. */
class BoundsTest {

  private static Cluster one(String yaml, long keys) {
    Cluster cluster =
        new Cluster(rules(yaml), new BoundsSettings(keys, 256, 1_000, 65_536, 10_000));
    cluster.add("n1");
    cluster.engine("n1").install(cluster.nextView("n1"));
    return cluster;
  }

  @Test
  void C22_idleCountersLeaveThoughNobodyTouchesThem() {
    Cluster cluster =
        one(
            "rules: [{name: tb, by: client, algorithm: token-bucket, limit: 5, window: 10s}]",
            200_000);
    for (int i = 0; i < 100_000; i++) {
      cluster.begin("n1", Request.of("one-shot-" + i), 1);
    }
    assertEquals(100_000, cluster.engine("n1").keys());
    cluster.time.pass(Duration.ofSeconds(30));
    assertEquals(0, cluster.engine("n1").keys());
    assertTrue(cluster.check("n1", "one-shot-1").allowed());
  }

  @Test
  void aFullTableRefusesNewKeysAndForgetsNoLiveOne() {
    Cluster cluster =
        one(
            "rules: [{name: fw, by: client, algorithm: fixed-window, limit: 1, window: 1h}]",
            1_000);
    for (int i = 0; i < 750; i++) {
      assertEquals(Certainty.EXACT, cluster.check("n1", "live-" + i).certainty());
    }
    int degraded = 0;
    for (int i = 0; i < 500; i++) {
      degraded += cluster.check("n1", "flood-" + i).certainty() == Certainty.DEGRADED ? 1 : 0;
    }
    assertEquals(500, degraded);
    assertEquals(750, cluster.engine("n1").keys(), "one account ends at three quarters");
    assertEquals(500, cluster.metrics.count("overflow keys"));
    assertTrue(cluster.engine("n1").tableFull());
    for (int i = 0; i < 750; i++) {
      assertFalse(cluster.check("n1", "live-" + i).allowed(), "a denied key stays denied");
    }
  }

  @Test
  void aFloodOfKeysDuringAnOutageAdmitsNoMoreThanTheTableOfLocalBucketsHolds() {
    Cluster cluster =
        new Cluster(
            rules("rules: [{name: fw, by: client, algorithm: fixed-window, limit: 1, window: 1h}]"),
            new BoundsSettings(1_000, 256, 1_000, 65_536, 10_000));
    cluster.add("n1");
    int admitted = 0;
    for (int i = 0; i < 3_000; i++) {
      admitted += cluster.check("n1", "k" + i).allowed() ? 1 : 0;
    }
    assertEquals(750, admitted, "one limit ends at three quarters");
    assertEquals(2_250, cluster.metrics.count("overflow local_buckets"));
  }

  private static Request of(String client, String tenant) {
    return new Request(client, null, null, null, Map.of("tenant", tenant));
  }

  @Test
  void oneTenantsFloodLeavesRoomForTheOthers() {
    Cluster cluster =
        one(
            "rules: [{name: fw, by: client, algorithm: fixed-window, limit: 1, window: 1h}]",
            1_000);
    int exact = 0;
    for (int i = 0; i < 3_000; i++) {
      Verdict verdict = cluster.check("n1", of("flood-" + i, "loud"), 1);
      exact += verdict.certainty() == Certainty.EXACT ? 1 : 0;
    }
    assertEquals(750, exact);
    for (int i = 0; i < 250; i++) {
      assertEquals(
          Certainty.EXACT, cluster.check("n1", of("k-" + i, "quiet"), 1).certainty(), "key " + i);
    }
    assertEquals(
        Certainty.DEGRADED, cluster.check("n1", of("one more", "quiet"), 1).certainty(), "full");
    cluster.time.pass(Duration.ofHours(1).plusSeconds(10));
    assertEquals(0, cluster.engine("n1").keys());
    assertFalse(cluster.engine("n1").tableFull());
    assertEquals(Certainty.EXACT, cluster.check("n1", of("again", "loud"), 1).certainty());
  }

  @Test
  void aboveAllLocalBucketsStandsTheCeilingOfTheNode() {
    Cluster cluster =
        new Cluster(
            rules("rules: [{name: api, by: client, rate: 1000/second}]"),
            new BoundsSettings(1_000, 256, 1_000, 65_536, 50));
    cluster.add("n1");
    int admitted = 0;
    for (int i = 0; i < 200; i++) {
      Verdict verdict = cluster.begin("n1", Request.of("k" + i), 1).verdict();
      admitted += verdict.allowed() ? 1 : 0;
      assertEquals(Certainty.DEGRADED, verdict.certainty());
    }
    assertEquals(50, admitted);
    assertEquals(150, cluster.metrics.count("overflow fallback_ceiling"));
    assertEquals(150, cluster.metrics.count("out of room"));
    cluster.time.pass(Duration.ofMillis(100));
    assertTrue(cluster.begin("n1", Request.of("later"), 1).verdict().allowed());
  }

  @Test
  void C22_stateOfMembersThatAreGoneIsDropped() {
    Cluster cluster = Cluster.of(rules("rules: [{name: a, by: client, rate: 9/hour}]"), "n1", "x0");
    for (int i = 1; i <= 50; i++) {
      String name = "x" + i;
      cluster.check("n1", cluster.clientOwnedBy("x" + (i - 1)));
      cluster.add(name);
      var next = cluster.nextView("n1", name);
      cluster.engine("n1").install(next);
      cluster.engine(name).install(next);
    }
    cluster.check("n1", cluster.clientOwnedBy("x50"));
    cluster.time.pass(Duration.ofSeconds(1));
    assertTrue(cluster.engine("n1").peersKnown() <= 1);
  }
}
