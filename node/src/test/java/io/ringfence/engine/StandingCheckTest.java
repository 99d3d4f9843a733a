package io.ringfence.engine;

import static io.ringfence.engine.StandingCheck.Outcome.ALLOWED;
import static io.ringfence.engine.StandingCheck.Outcome.DENIED;
import static io.ringfence.engine.StandingCheck.Outcome.NOT_HERE;
import static io.ringfence.engine.YamlRules.rules;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.ringfence.rules.Request;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The path of keys that are owned here. */
class StandingCheckTest {
  private static final int WARM_UP = 50_000;
  private static final int CHECKS = 50_000;

  /** One decision, its instant and its object header; a future, a list or a verdict is more. */
  private static final long MOST_BYTES = 96;

  private static Cluster of(String algorithm, long limit) {
    return Cluster.of(
        rules(
            "rules: [{name: api, by: client, algorithm: %s, limit: %d, window: 60s}]"
                .formatted(algorithm, limit)),
        "n1",
        "n2");
  }

  private static StandingCheck standing(Cluster cluster, String client) {
    return cluster.engine("n1").standing(new Check(Request.of(client), 1));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1_000_000_000})
  void allocatesNextToNothingWhetherItAllowsOrDenies(long limit) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (String algorithm : new String[] {"token-bucket", "gcra", "fixed-window"}) {
      Cluster cluster = of(algorithm, limit);
      StandingCheck standing = standing(cluster, cluster.clientOwnedBy("n1"));
      int here = 0;
      for (int i = 0; i < WARM_UP; i++) {
        here += standing.tryHere() == NOT_HERE ? 0 : 1;
      }
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < CHECKS; i++) {
        here += standing.tryHere() == NOT_HERE ? 0 : 1;
      }
      long bytes = threads.getCurrentThreadAllocatedBytes() - before;
      assertEquals(WARM_UP + CHECKS, here);
      assertTrue(bytes <= MOST_BYTES * CHECKS, algorithm + ": " + bytes / CHECKS + " a check");
    }
  }

  @Test
  void countsOnTheSameCounterAsAnyOtherCheck() {
    Cluster cluster = of("fixed-window", 3);
    String client = cluster.clientOwnedBy("n1");
    StandingCheck standing = standing(cluster, client);
    assertEquals(ALLOWED, standing.tryHere());
    assertTrue(cluster.check("n2", client).allowed());
    assertEquals(ALLOWED, standing.tryHere());
    assertEquals(DENIED, standing.tryHere());
    assertEquals(2, cluster.metrics.count("checked here true"));
    assertEquals(1, cluster.metrics.count("checked here false"));
    cluster.time.at(60);
    assertEquals(ALLOWED, standing.tryHere());
  }

  @Test
  void findsItsCounterAgainAfterItHasLeftTheTable() {
    Cluster cluster = of("token-bucket", 2);
    StandingCheck standing = standing(cluster, cluster.clientOwnedBy("n1"));
    assertEquals(ALLOWED, standing.tryHere());
    cluster.time.pass(Duration.ofMinutes(3));
    assertEquals(0, cluster.engine("n1").keys());
    assertEquals(ALLOWED, standing.tryHere());
    assertEquals(1, cluster.engine("n1").keys());
  }

  @Test
  void leavesToOthersWhatItCannotDecide() {
    Cluster cluster = of("fixed-window", 3);
    assertEquals(NOT_HERE, standing(cluster, cluster.clientOwnedBy("n2")).tryHere());
    StandingCheck mine = standing(cluster, cluster.clientOwnedBy("n1"));
    assertEquals(ALLOWED, mine.tryHere());
    cluster.install(
        rules("rules: [{name: api, by: client, algorithm: fixed-window, limit: 4, window: 60s}]"));
    assertEquals(NOT_HERE, mine.tryHere(), "an ordinary check adopts the new limit");
    assertTrue(cluster.check("n1", mine.check().request(), 1).allowed());
    assertEquals(ALLOWED, mine.tryHere());
    cluster.engine("n1").leaveView();
    assertEquals(NOT_HERE, mine.tryHere());
  }

  @Test
  void ofSeveralLimitsShadowsAndNamesItDecidesNothing() {
    Cluster cluster =
        Cluster.of(
            rules(
                """
                rules:
                  - {name: a, by: client, rate: 5/minute}
                  - {name: b, match: {tier: x}, by: tenant, rate: 5/minute}
                """),
            "n1");
    Engine engine = cluster.engine("n1");
    Request both = new Request("c", null, null, "x", Map.of("tenant", "t"));
    assertEquals(NOT_HERE, engine.standing(new Check(both, 1)).tryHere());
    assertEquals(NOT_HERE, engine.standing(new Check(Request.of("c"), 1, "id")).tryHere());
    assertEquals(ALLOWED, engine.standing(new Check(Request.of("c"), 1)).tryHere());
    assertEquals(1, engine.keys());
  }
}
