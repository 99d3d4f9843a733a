package io.ringfence.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What is admitted apart and debited later is counted, in units, once it has been. */
class DebitsTest {
  private final Cluster cluster = Cluster.fixedWindow(150);

  @Test
  void unitsDebitedAtAnotherMemberAreCountedOnceItHasAnswered() {
    String client = cluster.clientOwnedBy("n2");
    cluster.engine("n1").disconnected(cluster.id("n2"));
    cluster.unplug("n1", "n2");
    for (int i = 0; i < 4; i++) {
      assertTrue(cluster.check("n1", client).allowed());
    }
    assertEquals(0, cluster.metrics.count("debited"));
    cluster.plugIn("n1", "n2");
    cluster.engine("n1").connected(cluster.id("n2"));
    cluster.time.pass(Duration.ofSeconds(5));
    assertEquals(4, cluster.metrics.count("debited"));
  }

  @Test
  void unitsDebitedHereAreCountedToo() {
    String client = cluster.clientOwnedBy("n1");
    cluster.lapse("n1");
    for (int i = 0; i < 3; i++) {
      assertTrue(cluster.check("n1", client).allowed());
    }
    cluster.renew("n1");
    cluster.time.pass(Duration.ofSeconds(5));
    assertEquals(3, cluster.metrics.count("debited"));
  }
}
