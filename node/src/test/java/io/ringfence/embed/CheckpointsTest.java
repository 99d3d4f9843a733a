package io.ringfence.embed;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.engine.Certainty;
import io.ringfence.engine.Check;
import io.ringfence.engine.Verdict;
import io.ringfence.rules.Request;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that stop and start again, with a data directory. */
class CheckpointsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String RULES =
      """
      rules:
        - {name: api, match: {route: "GET /long"}, by: client, algorithm: fixed-window, limit: 50,
           window: 1h, on_state_lost: spent}
        - {name: short, match: {route: "GET /short"}, by: client, algorithm: fixed-window,
           limit: 50, window: 10m}
      """;

  @TempDir Path dir;

  private RingfenceNode start() throws Exception {
    RingfenceNode node = RingfenceNode.builder().rules(RULES).data(dir.resolve("data")).start();
    assertTrue(node.awaitReady(PATIENCE));
    return node;
  }

  private static Verdict check(RingfenceNode node, String client, String path) {
    CompletableFuture<Verdict> verdict = new CompletableFuture<>();
    Request request = new Request(client, "GET", path, null, Map.of());
    node.limiter().check(new Check(request, 1), verdict::complete);
    return verdict.orTimeout(60, TimeUnit.SECONDS).join();
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.ISO_8859_1);
  }

  @Test
  void E10_whatWasUsedIsKeptOverAStop() throws Exception {
    try (RingfenceNode first = start()) {
      Verdict verdict = check(first, "a", "/long");
      assertEquals(Certainty.EXACT, verdict.certainty(), "a first start misses nothing");
      check(first, "a", "/long");
      check(first, "a", "/short");
    }
    try (RingfenceNode second = start()) {
      Verdict verdict = check(second, "a", "/long");
      assertEquals(Certainty.RECOVERED, verdict.certainty());
      assertEquals(47, verdict.limits().get(0).answer().remaining());
      assertEquals(49, check(second, "b", "/long").limits().get(0).answer().remaining());
      assertEquals(Certainty.ASSUMED, check(second, "a", "/short").certainty());
    }
  }

  @Test
  void E10_whatWasUsedIsKeptWithoutAStop() throws Exception {
    Path copy = dir.resolve("copy");
    try (RingfenceNode first = start()) {
      check(first, "of-the-log", "/long");
      Path log = dir.resolve("data").resolve("checkpoint");
      await("a checkpoint")
          .atMost(PATIENCE)
          .until(() -> Files.exists(log) && text(log).contains("of-the-log"));
      Files.createDirectories(copy); // as a kill would leave it
      for (String file : new String[] {"lineage", "checkpoint"}) {
        Files.copy(dir.resolve("data").resolve(file), copy.resolve(file));
      }
    }
    try (RingfenceNode second = RingfenceNode.builder().rules(RULES).data(copy).start()) {
      assertTrue(second.awaitReady(PATIENCE));
      Verdict verdict = check(second, "of-the-log", "/long");
      assertEquals(Certainty.RECOVERED, verdict.certainty());
      assertEquals(48, verdict.limits().get(0).answer().remaining());
    }
  }

  @Test
  void aDirectoryInUseIsRefusedByItsName() throws Exception {
    try (RingfenceNode first = start()) {
      IOException refused = assertThrows(IOException.class, this::start);
      assertEquals(
          "node.data: " + dir.resolve("data") + ": another process uses it", refused.getMessage());
      assertTrue(check(first, "a", "/long").allowed());
    }
  }
}
