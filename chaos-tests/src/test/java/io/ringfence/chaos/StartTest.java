package io.ringfence.chaos;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.chaos.cluster.Cluster;
import io.ringfence.chaos.cluster.ClusterPage;
import io.ringfence.chaos.wire.Call;
import io.ringfence.chaos.wire.CheckRequest;
import io.ringfence.chaos.wire.MachineClock;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Three nodes that know nothing of each other but addresses become one cluster. */
@Tag("processes")
class StartTest {
  private static final String RULES =
      "rules:\n  - {name: all, by: client, algorithm: fixed-window, limit: 50, window: 1h}\n";

  @Test
  void nodesThatStartAtTheSameMomentAgreeOnOneView() {
    try (Cluster cluster = Trio.of("start", Trio.LONG_LEASE, RULES).startTogether()) {
      long allReadyNanos = MachineClock.nanos();
      ClusterPage page = cluster.awaitWholeView();
      Duration untilView = Duration.ofNanos(MachineClock.nanos() - allReadyNanos);
      Trio.measured("all at once, ready after", times(cluster));
      Trio.measured("from the last ready line to one view", untilView);
      Trio.measured("max/mean of slots", page.maxToMeanSlots());
      assertAll(
          () -> assertEquals(Set.copyOf(Trio.NAMES), page.names()),
          () -> assertTrue(page.maxToMeanSlots() <= 1.10, page::toString),
          () -> assertAllAgreeOnOwners(cluster),
          () -> assertAllAreReady(cluster));
    }
  }

  private static String times(Cluster cluster) {
    return Trio.NAMES.stream()
        .map(name -> name + " " + cluster.node(name).becameReadyAfter())
        .collect(Collectors.joining(", "));
  }

  private static void assertAllAgreeOnOwners(Cluster cluster) {
    for (int i = 0; i < 30; i++) {
      CheckRequest request = new CheckRequest("k" + i, "GET /");
      Set<String> owners =
          Trio.NAMES.stream()
              .map(asked -> cluster.ownerOf(request, asked))
              .collect(Collectors.toSet());
      assertEquals(1, owners.size(), () -> request.key() + " has owners " + owners);
    }
  }

  private static void assertAllAreReady(Cluster cluster) {
    for (String name : Trio.NAMES) {
      assertEquals(200, cluster.node(name).call(Call.get("/health/ready")).status(), name);
      assertEquals(200, cluster.node(name).call(Call.get("/health/live")).status(), name);
    }
  }
}
