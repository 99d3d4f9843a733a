package io.ringfence.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.chaos.cluster.Cluster;
import io.ringfence.chaos.cluster.ClusterFiles;
import io.ringfence.chaos.cluster.FreePorts;
import io.ringfence.chaos.cluster.Launcher;
import io.ringfence.chaos.cluster.NodeProcess;
import io.ringfence.chaos.load.Ledger;
import io.ringfence.chaos.load.LimitUnderTest;
import io.ringfence.chaos.load.Load;
import io.ringfence.chaos.load.LoadPlan;
import io.ringfence.chaos.load.LoadSettings;
import io.ringfence.chaos.load.Shape;
import io.ringfence.chaos.load.Shot;
import io.ringfence.chaos.wire.CheckRequest;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two nodes whose Hazelcast has a stranger for its oldest member, before they have started.
 * Whatever strangers do, the two are the cluster, and every key has its exact limit.
 */
@Tag("processes")
class StrangersTest {
  private static final Set<String> FAMILY = Set.of("n1", "n2");
  private static final LimitUnderTest LIMIT =
      new LimitUnderTest(Shape.FIXED_WINDOW, 20, Duration.ofHours(1));
  private static final int MEBIBYTE = 1 << 20;

  private static HazelcastStranger oldest;
  private static ClusterFiles files;
  private static Cluster cluster;
  private static int round;

  @BeforeAll
  static void theStrangerIsThereFirst() throws IOException {
    int port = new FreePorts().next();
    oldest = new HazelcastStranger("besieged", port);
    files =
        Trio.files(
            "strangers",
            "cluster: {name: besieged}\nforward: {deadline: 20s}\n" + Trio.LONG_LEASE,
            "rules:\n  - {name: all, by: client, %s}\n".formatted(LIMIT.yaml()));
    cluster =
        new Cluster(Launcher.packaged(), files, List.of("n1", "n2", "imposter"), List.of(port));
    cluster.start("n1");
    cluster.start("n2");
    cluster.awaitView("n1", "n2");
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
    oldest.close();
  }

  /** Fresh keys at each call. */
  private static void assertServesExactly(String after) {
    String prefix = "round-" + round++ + "-";
    List<Shot> shots =
        IntStream.range(0, 20)
            .mapToObj(i -> Shot.of(prefix + i, new CheckRequest(prefix + i, "GET /")))
            .toList();
    Ledger ledger = new Ledger(LIMIT);
    Load.run(cluster.http("n1", "n2"), LoadPlan.each(shots, 30, 10), LoadSettings.calm(10), ledger);
    Trio.measured("after " + after, ledger.summary());
    assertEquals(List.of(), ledger.countProblems());
    assertEquals(FAMILY, cluster.node("n1").clusterPage().names());
    assertEquals(FAMILY, cluster.node("n2").clusterPage().names());
  }

  @Test
  void theOldestMemberOfHazelcastIsInNoViewAndDecidesNothing() {
    cluster.await("both nodes in Hazelcast", Cluster.PATIENCE, () -> oldest.members() >= 3);
    assertTrue(oldest.isOldest());
    assertServesExactly("a stranger came first");
  }

  @Test
  void aNodeWithAnotherSecretIsInNoViewOfTheOthers() {
    NodeProcess imposter = cluster.launch("imposter", files.otherSecret());
    cluster.await(
        "the refusal in the log of a node",
        Cluster.PATIENCE,
        () -> cluster.node("n1").log().contains("wrong secret"));
    assertServesExactly("a node came with another secret");
    if (imposter.hasPrintedReadyLine()) {
      imposter.awaitReady(Cluster.PATIENCE);
      assertEquals(Set.of("imposter"), imposter.clusterPage().names());
    }
    imposter.close();
  }

  @Test
  void aMebibyteOfRandomBytesOnEveryPortLeavesTheNodeServing() throws IOException {
    NodeProcess node = cluster.node("n1");
    Random random = new Random(20_261_129);
    for (InetSocketAddress port : List.of(node.http(), node.peer(), node.cluster())) {
      byte[] noise = new byte[MEBIBYTE];
      random.nextBytes(noise);
      int written = pour(noise, port);
      Trio.measured("random bytes taken on " + port + " before it hung up", written);
      assertTrue(node.isAlive(), node::log);
    }
    assertServesExactly("random bytes on every port");
    assertFalse(node.log().contains("OutOfMemoryError"), node::log);
  }

  /** Writes until the other end has had enough; returns how many bytes it took. */
  private static int pour(byte[] noise, InetSocketAddress to) throws IOException {
    int piece = 16 * 1024;
    int written = 0;
    try (Socket socket = new Socket(to.getAddress(), to.getPort())) {
      OutputStream out = socket.getOutputStream();
      while (written < noise.length) {
        try {
          out.write(noise, written, piece);
        } catch (IOException hungUp) {
          return written;
        }
        written += piece;
      }
    }
    return written;
  }
}
