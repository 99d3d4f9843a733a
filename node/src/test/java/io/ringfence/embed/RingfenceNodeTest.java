package io.ringfence.embed;

import static java.util.Objects.requireNonNull;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.config.NodeFile;
import io.ringfence.config.NodeFlag;
import io.ringfence.engine.Certainty;
import io.ringfence.engine.Check;
import io.ringfence.engine.Verdict;
import io.ringfence.membership.Address;
import io.ringfence.membership.MemberState;
import io.ringfence.rules.Request;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole nodes in this JVM, with their sockets and Hazelcast. */
class RingfenceNodeTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String FIXED =
      "rules: [{name: api, by: client, algorithm: fixed-window, limit: %d, window: 1h}]";

  @TempDir Path dir;

  private RingfenceNode alone(String rules) throws Exception {
    Path file = Files.writeString(dir.resolve("rules.yaml"), rules);
    Map<NodeFlag, String> flags = new EnumMap<>(NodeFlag.class);
    flags.put(NodeFlag.HTTP, "127.0.0.1:0");
    flags.put(NodeFlag.RULES, file.toString());
    return RingfenceNode.start(NodeFile.load(null, flags, null).config());
  }

  /** A node of a cluster whose checks may take a second, as this machine may be busy. */
  private RingfenceNode member(String name, String clusterAddress, String join) throws Exception {
    Files.writeString(dir.resolve("rules.yaml"), FIXED.formatted(50));
    Path file =
        Files.writeString(
            dir.resolve(name + ".yaml"),
            """
            node: {name: %s}
            listen: {http: "127.0.0.1:0", peer: "127.0.0.1:0", cluster: "%s"}
            cluster: {name: test-%d%s}
            forward: {deadline: 10s}
            view: {lease: 3s}
            rules: rules.yaml
            """
                .formatted(
                    name,
                    clusterAddress,
                    ProcessHandle.current().pid(),
                    join.isEmpty() ? "" : ", join: [\"" + join + "\"]"));
    return RingfenceNode.start(NodeFile.load(file, Map.of(), null).config());
  }

  private static Verdict check(RingfenceNode node, String client) {
    CompletableFuture<Verdict> answer = new CompletableFuture<>();
    node.limiter().check(new Check(Request.of(client), 1), answer::complete);
    return answer.join();
  }

  private static HttpResponse<String> get(RingfenceNode node, String path) throws Exception {
    URI uri = URI.create("http://" + node.addresses().http() + path);
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void aNodeAloneServesAtOnceAndListensNowhereElse() throws Exception {
    try (RingfenceNode node = alone(FIXED.formatted(2))) {
      assertTrue(node.awaitReady(PATIENCE));
      assertTrue(check(node, "c").allowed());
      assertTrue(check(node, "c").allowed());
      Verdict third = check(node, "c");
      assertFalse(third.allowed());
      assertEquals(Certainty.EXACT, third.certainty());
      assertEquals(200, get(node, "/health/ready").statusCode());
      assertEquals(null, node.addresses().peer());
      assertEquals(null, node.addresses().cluster());
    }
  }

  @Test
  void aChangedRulesFileIsNoticedAndABadOneIsRefusedWhole() throws Exception {
    try (RingfenceNode node = alone(FIXED.formatted(2))) {
      assertTrue(node.awaitReady(PATIENCE));
      check(node, "c");
      Files.writeString(dir.resolve("rules.yaml"), "rules: [{name: api, by: client, limitt: 9}]");
      await("the refusal is counted")
          .atMost(PATIENCE)
          .until(() -> reloads(node, "failure") == 1 || reloads(node, "failed") == 1);
      assertTrue(check(node, "c").allowed());
      assertFalse(check(node, "c").allowed(), "the old rules are in force");
      Files.writeString(dir.resolve("rules.yaml"), FIXED.formatted(3));
      await("the new rules are in force")
          .atMost(PATIENCE)
          .until(() -> check(node, "other").limits().get(0).answer().limit() == 3);
      assertTrue(check(node, "c").allowed(), "two of three were used");
      assertFalse(check(node, "c").allowed());
    }
  }

  private static long reloads(RingfenceNode node, String result) throws Exception {
    String series = "ringfence_rules_reload_total{result=\"" + result + "\"} ";
    return get(node, "/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(series))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(series.length())))
        .sum();
  }

  @Test
  void twoNodesInOneJvmAreOneLimiterAndTheRestGoesOnWithoutTheOneThatLeaves() throws Exception {
    try (RingfenceNode first = member("n1", "127.0.0.1:0", "")) {
      assertTrue(first.awaitReady(PATIENCE));
      Address seed = requireNonNull(first.addresses().cluster());
      try (RingfenceNode second = member("n2", "127.0.0.1:0", seed.toString())) {
        assertTrue(second.awaitReady(PATIENCE));
        await("both see two members")
            .atMost(PATIENCE)
            .until(() -> members(first) == 2 && members(second) == 2);
        for (int key = 0; key < 20; key++) {
          int admitted = 0;
          for (int i = 0; i < 120; i++) {
            admitted += check(i % 2 == 0 ? first : second, "client-" + key).allowed() ? 1 : 0;
          }
          assertEquals(50, admitted);
        }
      }
      await("the view without n2").atMost(PATIENCE).until(() -> members(first) == 1);
      assertTrue(check(first, "somebody").allowed());
    }
  }

  private static long members(RingfenceNode node) {
    return node.limiter().cluster().members().stream()
        .filter(share -> share.member().state() == MemberState.ACTIVE)
        .count();
  }

  @Test
  void closingLeavesNoThreadBehind() throws Exception {
    try (RingfenceNode node = alone(FIXED.formatted(2))) {
      assertTrue(node.awaitReady(PATIENCE));
    }
    await("its threads end")
        .atMost(PATIENCE)
        .until(
            () -> {
              Set<String> left =
                  Thread.getAllStackTraces().keySet().stream()
                      .map(Thread::getName)
                      .filter(name -> name.startsWith("ringfence-"))
                      .collect(Collectors.toSet());
              return left.isEmpty();
            });
  }

  @Test
  void anAddressThatIsTakenIsNamed() throws Exception {
    try (ServerSocket taken = new ServerSocket(0)) {
      Map<NodeFlag, String> flags = Map.of(NodeFlag.HTTP, "127.0.0.1:" + taken.getLocalPort());
      IOException refused =
          assertThrows(
              IOException.class,
              () -> RingfenceNode.start(NodeFile.load(null, flags, null).config()));
      assertTrue(
          requireNonNull(refused.getMessage()).contains("127.0.0.1:" + taken.getLocalPort()));
    }
  }
}
