package io.ringfence.embed;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.config.NodeFile;
import io.ringfence.config.NodeFlag;
import io.ringfence.engine.Check;
import io.ringfence.engine.LimitVerdict;
import io.ringfence.engine.Verdict;
import io.ringfence.rules.Request;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rules that change under a running node, in the ways that files are changed in practice. */
class RulesReloadTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String FIXED =
      "rules: [{name: api, by: client, algorithm: fixed-window, limit: %d, window: 1h}]";

  @TempDir Path dir;

  private static RingfenceNode start(Path rules) throws Exception {
    Map<NodeFlag, String> flags = new EnumMap<>(NodeFlag.class);
    flags.put(NodeFlag.HTTP, "127.0.0.1:0");
    flags.put(NodeFlag.RULES, rules.toString());
    RingfenceNode node = RingfenceNode.start(NodeFile.load(null, flags, null).config());
    assertTrue(node.awaitReady(PATIENCE));
    return node;
  }

  private static LimitVerdict.Answer check(RingfenceNode node, String client) {
    CompletableFuture<Verdict> answer = new CompletableFuture<>();
    node.limiter().check(new Check(Request.of(client), 1), answer::complete);
    return answer.join().limits().get(0).answer();
  }

  private static LimitVerdict.Answer peek(RingfenceNode node, String client) {
    CompletableFuture<Verdict> answer = new CompletableFuture<>();
    node.limiter().peek(new Check(Request.of(client), 1), answer::complete);
    return answer.join().limits().get(0).answer();
  }

  /** A volume as Kubernetes mounts it: `data` points to a directory that is never written again. */
  private Path version(String name, int limit) throws Exception {
    Path version = Files.createDirectories(dir.resolve(name));
    Files.writeString(version.resolve("rules.yaml"), FIXED.formatted(limit));
    return version;
  }

  private void pointTo(Path version) throws Exception {
    Path next = Files.createSymbolicLink(dir.resolve("data.next"), version.getFileName());
    Files.move(next, dir.resolve("data"), StandardCopyOption.ATOMIC_MOVE);
  }

  @Test
  void C12_aDirectorySwappedBehindASymlinkIsNoticed() throws Exception {
    pointTo(version("v1", 2));
    Path rules = Files.createSymbolicLink(dir.resolve("rules.yaml"), Path.of("data", "rules.yaml"));
    try (RingfenceNode node = start(rules)) {
      assertTrue(check(node, "c").allowed());
      assertTrue(check(node, "c").allowed());
      assertFalse(check(node, "c").allowed());
      pointTo(version("v2", 5));
      await("the larger limit").atMost(PATIENCE).until(() -> peek(node, "c").limit() == 5);
      assertEquals(2, check(node, "c").remaining(), "what was used stays used");
      pointTo(dir.resolve("v1"));
      await("the smaller limit").atMost(PATIENCE).until(() -> peek(node, "c").limit() == 2);
      assertFalse(check(node, "c").allowed());
    }
  }

  @Test
  void C15_aFileThatVanishesOrIsCutShortChangesNothing() throws Exception {
    Path rules = Files.writeString(dir.resolve("rules.yaml"), FIXED.formatted(2));
    try (RingfenceNode node = start(rules)) {
      assertEquals(1, check(node, "c").remaining());
      String version = node.limiter().rules().version();
      long failures = 0;
      for (String bad : new String[] {"", "rules: [{name: api, by: cli", "rules:\n\t- {}"}) {
        Files.writeString(rules, bad);
        long before = failures;
        await("the refusal of '" + bad + "'")
            .atMost(PATIENCE)
            .until(() -> failedReloads(node) > before);
        failures = failedReloads(node);
        assertEquals(version, node.limiter().rules().version(), bad);
      }
      Files.delete(rules);
      assertEquals(0, check(node, "c").remaining());
      assertFalse(check(node, "c").allowed());
      Files.writeString(rules, FIXED.formatted(3));
      await("the file is back").atMost(PATIENCE).until(() -> peek(node, "c").limit() == 3);
      assertEquals(0, check(node, "c").remaining());
    }
  }

  private static long failedReloads(RingfenceNode node) throws Exception {
    URI page = URI.create("http://" + node.addresses().http() + "/metrics");
    String series = "ringfence_rules_reload_total{result=\"failure\"} ";
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString())
        .body()
        .lines()
        .filter(line -> line.startsWith(series))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(series.length())))
        .findFirst()
        .orElseThrow();
  }
}
