package io.ringfence.chaos;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ringfence.chaos.cluster.Cluster;
import io.ringfence.chaos.cluster.ClusterFiles;
import io.ringfence.chaos.cluster.Launcher;
import io.ringfence.chaos.cluster.NodeProcess;
import io.ringfence.chaos.wire.Call;
import io.ringfence.chaos.wire.CheckAnswer;
import io.ringfence.chaos.wire.CheckRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The rules file of a running node is replaced by another, as an operator would do it. */
@Tag("processes")
class ReloadTest {
  private static final CheckRequest REQUEST = new CheckRequest("k", "GET /");

  private ClusterFiles files;
  private Cluster cluster;
  private NodeProcess node;

  @BeforeEach
  void start() {
    files = Trio.files("reload", Trio.LONG_LEASE, rules("limit: 2"));
    cluster = new Cluster(Launcher.packaged(), files, List.of("n1"));
    node = cluster.start("n1");
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  /** A token bucket that refills nothing while a test runs. */
  private static String rules(String limit) {
    return "rules:\n  - name: all\n    algorithm: token-bucket\n    window: 400d\n    "
        + limit
        + "\n";
  }

  /** Whole or not at all, so that a node never sees half of it. */
  private void replaceRules(String text) throws IOException {
    Path next = Files.writeString(files.home().resolve("next.yaml"), text);
    Files.move(next, files.rules(), StandardCopyOption.ATOMIC_MOVE);
  }

  private long reloads(String result) {
    String sample = "ringfence_rules_reload_total{result=\"" + result + "\"}";
    return node.call(Call.get("/metrics"))
        .body()
        .lines()
        .filter(line -> line.startsWith(sample))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(sample.length()).strip()))
        .sum();
  }

  @Test
  void C15_aBadFileIsRefusedWholeAndTheOldRulesStay() throws IOException {
    assertEquals(1, node.check(REQUEST).remaining());
    List<String> bad =
        List.of(
            rules("limitt: 2"),
            rules("limit: -1"),
            rules("limit: 2\n    period: 10"),
            rules("limit: 9") + "  - name: all\n    rate: 5/hour\n",
            rules("limit: 9") + "  - {name: torn, rate: \"",
            "");
    for (int i = 0; i < bad.size(); i++) {
      long refused = i + 1L;
      replaceRules(bad.get(i));
      cluster.await(
          "the refusal of " + bad.get(i), Cluster.PATIENCE, () -> reloads("failure") == refused);
      assertEquals(1, node.peek(REQUEST).remaining(), bad.get(i));
    }
    CheckAnswer second = node.check(REQUEST);
    CheckAnswer third = node.check(REQUEST);
    assertAll(
        () -> assertEquals(0, second.remaining()),
        () -> assertEquals(429, third.status(), third::toString),
        () -> assertEquals(0, reloads("success")));
  }

  @Test
  void aGoodFileKeepsWhatLiveKeysHaveUsed() throws IOException {
    node.check(REQUEST);
    node.check(REQUEST);
    assertEquals(429, node.check(REQUEST).status());
    replaceRules(rules("limit: 5"));
    cluster.await("the new rules", Cluster.PATIENCE, () -> reloads("success") == 1);
    assertEquals(2, node.check(REQUEST).remaining());
  }
}
