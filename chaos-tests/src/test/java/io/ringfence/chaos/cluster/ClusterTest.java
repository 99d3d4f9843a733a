package io.ringfence.chaos.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The fixture, with dummies for nodes. */
class ClusterTest {
  private static final Launcher DUMMY =
      Launcher.ofMain(System.getProperty("java.class.path"), DummyNode.class.getName());
  private static final Duration SHORT = Duration.ofMillis(200);

  @TempDir private Path temp;
  private ClusterFiles files;
  private Cluster cluster;

  @BeforeEach
  void nothingRuns() {
    files = ClusterFiles.write(temp, "dummy", "{}\n", "rules: []\n");
    cluster = new Cluster(DUMMY, files, List.of("a", "b", "broken", "mute"));
  }

  @AfterEach
  void killAll() {
    cluster.close();
  }

  private void sees(String name, long epoch, String... members) throws IOException {
    String list =
        String.join(
            ",",
            List.of(members).stream()
                .map("{\"name\":\"%s\",\"state\":\"ACTIVE\",\"slots\":8}"::formatted)
                .toList());
    Files.writeString(
        files.home().resolve(name + ".json"),
        "{\"settled\":true,\"node\":\"%s\",\"epoch\":%d,\"members\":[%s],\"rules_version\":\"r1\"}"
            .formatted(name, epoch, list));
  }

  @Test
  void aViewIsOneOnceEveryNodeTellsIt() throws IOException {
    sees("a", 2, "a", "b");
    sees("b", 2, "a", "b");
    cluster.start("a");
    cluster.start("b");
    ClusterPage page = cluster.awaitView("a", "b");
    assertEquals(Set.of("a", "b"), page.names());
    assertEquals(1.0, page.maxToMeanSlots());
  }

  @Test
  void nodesThatDisagreeAreReportedWithTheirPagesAndLogs() throws IOException {
    sees("a", 2, "a", "b");
    sees("b", 1, "b");
    cluster.start("a");
    cluster.start("b");
    IllegalStateException e =
        assertThrows(
            IllegalStateException.class,
            () ->
                cluster.await(
                    "an agreement",
                    SHORT,
                    () -> cluster.node("b").clusterPage().isSettledWith(Set.of("a", "b"))));
    assertTrue(e.toString().contains("an agreement"), e::toString);
    assertTrue(
        e.toString().contains("a: {\"settled\":true,\"node\":\"a\",\"epoch\":2"), e::toString);
    assertTrue(e.toString().contains("ringfence ready name=b"), e::toString);
  }

  @Test
  void aNodeThatDiesBeforeItIsReadyIsReportedWithItsLastWords() {
    IllegalStateException e =
        assertThrows(IllegalStateException.class, () -> cluster.start("broken"));
    assertTrue(e.toString().contains("ended with 3 before it was ready"), e::toString);
    assertTrue(e.toString().contains("rules.yaml:3: something is wrong"), e::toString);
  }

  @Test
  void aNodeThatNeverBecomesReadyIsGivenUp() {
    NodeProcess mute = cluster.launch("mute");
    IllegalStateException e =
        assertThrows(IllegalStateException.class, () -> mute.awaitReady(SHORT));
    assertTrue(e.toString().contains("mute not ready"), e::toString);
    assertTrue(mute.isAlive());
  }

  @Test
  void aFrozenNodeGoesOnWhenThawedAndLeavesWhenAsked() throws IOException {
    sees("a", 1, "a");
    NodeProcess node = cluster.start("a");
    node.freeze();
    assertTrue(node.isAlive());
    assertFalse(node.canAnswer());
    node.thaw();
    assertEquals(Set.of("a"), node.clusterPage().names());
    node.terminate();
    assertEquals(0, node.awaitExit(Cluster.PATIENCE));
  }

  @Test
  void aKilledNodeStartsAgainUnderItsName() throws IOException {
    sees("a", 1, "a");
    NodeProcess first = cluster.start("a");
    first.freeze();
    first.kill();
    assertFalse(first.isAlive());
    NodeProcess second = cluster.start("a");
    assertEquals(Set.of("a"), second.clusterPage().names());
    assertEquals(second, cluster.node("a"));
  }

  @Test
  void aMissingJarSaysWhatToDo() {
    IllegalStateException e =
        assertThrows(IllegalStateException.class, () -> Launcher.ofJar(temp.resolve("no.jar")));
    assertTrue(e.toString().contains("no.jar"), e::toString);
  }
}
