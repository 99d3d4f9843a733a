package io.ringfence.embed;

import static java.util.Objects.requireNonNull;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.netty.util.ResourceLeakDetector;
import io.ringfence.config.NodeFile;
import io.ringfence.engine.Certainty;
import io.ringfence.engine.Check;
import io.ringfence.engine.ClusterStatus.MemberShare;
import io.ringfence.engine.Verdict;
import io.ringfence.membership.Member;
import io.ringfence.rules.Request;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes, and an operator who gives one more and takes one away by calls. */
@Timeout(180)
class OperatorCallsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int KEYS = 300;
  private static final int LIMIT = 10;
  private static final String RULES =
      "rules: [{name: api, by: client, algorithm: fixed-window, limit: %d, window: 1d}]";

  private final HttpClient client = HttpClient.newHttpClient();
  private final List<RingfenceNode> nodes = new ArrayList<>();

  @TempDir Path dir;

  private record Answer(int status, JsonNode json) {}

  private static ResourceLeakDetector.Level watched = ResourceLeakDetector.Level.PARANOID;

  /**
   * The tests watch every buffer, at the price of a stack trace for each field of each of 16,384
   * slots that move: three nodes in one JVM would be busy with that for longer than leases last.
   */
  @BeforeAll
  static void watchFewBuffers() {
    watched = ResourceLeakDetector.getLevel();
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.SIMPLE);
  }

  @AfterAll
  static void watchAllBuffersAgain() {
    ResourceLeakDetector.setLevel(watched);
  }

  @BeforeEach
  void start() throws Exception {
    Files.writeString(dir.resolve("rules.yaml"), RULES.formatted(LIMIT));
    String join = "";
    for (String name : List.of("n1", "n2", "n3")) {
      nodes.add(start(name, join));
      join = requireNonNull(nodes.get(0).addresses().cluster()).toString();
    }
    await("one settled view of three").atMost(PATIENCE).until(() -> allSettledWith(3));
  }

  @AfterEach
  void stop() {
    nodes.forEach(RingfenceNode::close);
  }

  private RingfenceNode start(String name, String join) throws Exception {
    Path file =
        Files.writeString(
            dir.resolve(name + ".yaml"),
            """
            node: {name: %s}
            listen: {http: "127.0.0.1:0", peer: "127.0.0.1:0", cluster: "127.0.0.1:0"}
            cluster: {name: calls-%d%s}
            forward: {deadline: 10s}
            view: {lease: 3s}
            shutdown: {drain: 20s}
            rules: rules.yaml
            """
                .formatted(
                    name,
                    ProcessHandle.current().pid(),
                    join.isEmpty() ? "" : ", join: [\"" + join + "\"]"));
    RingfenceNode node = RingfenceNode.start(NodeFile.load(file, Map.of(), null).config());
    assertTrue(node.awaitReady(PATIENCE));
    return node;
  }

  private Answer call(RingfenceNode node, String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + node.addresses().http() + path))
            .method(method, BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
    return new Answer(response.statusCode(), new ObjectMapper().readTree(response.body()));
  }

  private boolean settledWith(RingfenceNode node, int members)
      throws IOException, InterruptedException {
    JsonNode cluster = call(node, "GET", "/v1/cluster", "").json;
    return cluster.get("settled").asBoolean() && cluster.get("members").size() == members;
  }

  private boolean allSettledWith(int members) throws IOException, InterruptedException {
    boolean all = true;
    for (RingfenceNode node : nodes) {
      all &= settledWith(node, members);
    }
    return all;
  }

  private static Verdict check(RingfenceNode node, int key) {
    CompletableFuture<Verdict> answer = new CompletableFuture<>();
    node.limiter().check(new Check(Request.of("key-" + key), 1), answer::complete);
    return answer.join();
  }

  /** Charges each key once, at one node after the other; each charge must be exact and pass. */
  private void chargeEach() {
    for (int key = 0; key < KEYS; key++) {
      Verdict verdict = check(nodes.get(key % nodes.size()), key);
      assertTrue(verdict.allowed());
      assertEquals(Certainty.EXACT, verdict.certainty());
    }
  }

  private void usedOnEach(int used) {
    for (int key = 0; key < KEYS; key++) {
      assertEquals(LIMIT - used - 1, check(nodes.get(0), key).limits().get(0).answer().remaining());
    }
  }

  private static int slotsOf(RingfenceNode asked, String name) {
    return share(asked, name).slots();
  }

  private static MemberShare share(RingfenceNode asked, String name) {
    return asked.limiter().cluster().members().stream()
        .filter(each -> each.member().name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aWeightMovesSlotsAndNoCount() throws Exception {
    chargeEach();
    int before = slotsOf(nodes.get(0), "n3");
    Answer agreed = call(nodes.get(0), "PUT", "/v1/cluster/members/n3", "{\"weight\":3}");
    assertEquals(200, agreed.status, agreed.toString());
    assertEquals(3, agreed.json.get("weight").asInt());
    chargeEach();
    await("n3 has three fifths")
        .atMost(PATIENCE)
        .until(
            () ->
                nodes.stream().allMatch(node -> slotsOf(node, "n3") > 3 * before / 2)
                    && settledWith(nodes.get(0), 3));
    Member n3 = share(nodes.get(1), "n3").member();
    assertEquals(List.of(3, 3), List.of(n3.weight(), n3.baseWeight()));
    usedOnEach(2);

    Answer unknown = call(nodes.get(1), "PUT", "/v1/cluster/members/n9", "{\"weight\":3}");
    assertEquals(404, unknown.status);
    assertEquals(
        "no member has that name; they are n1, n2, n3", unknown.json.get("detail").asText());
  }

  @Test
  void aNodeThatIsDrainedByACallGoesOnAnsweringAndLosesNothing() throws Exception {
    chargeEach();
    RingfenceNode drained = nodes.get(1);
    Answer begun = call(drained, "POST", "/v1/cluster/drain", "{}");
    assertTrue(begun.status == 202 || begun.status == 200, begun.toString());
    assertEquals(List.of("draining"), drained.reasonsAgainstReady());
    chargeEach();
    await("it is out")
        .atMost(PATIENCE)
        .until(() -> call(drained, "POST", "/v1/cluster/drain", "{}").status == 200);
    await("the others go on without it")
        .atMost(PATIENCE)
        .until(() -> settledWith(nodes.get(0), 2) && settledWith(nodes.get(2), 2));
    JsonNode cluster = call(drained, "GET", "/v1/cluster", "").json;
    assertEquals("drained", cluster.get("drain").asText());
    assertEquals(0, cluster.get("slots").get("open").asInt());
    chargeEach();
    assertNotEquals("n2", check(drained, 0).owner());
    assertEquals(
        503, call(drained, "PUT", "/v1/cluster/members/n1", "{\"weight\":2}").status, "no view");

    CompletableFuture.runAsync(drained::close).get(60, TimeUnit.SECONDS);
    assertEquals(2, nodes.get(0).limiter().cluster().members().size());
  }

  @Test
  void whoeverIsLeftAloneIsNotDrained() throws Exception {
    for (RingfenceNode drained : nodes.subList(1, 3)) {
      await(drained.name() + " is out")
          .atMost(PATIENCE)
          .until(() -> call(drained, "POST", "/v1/cluster/drain", "{}").status == 200);
    }
    Answer refused = call(nodes.get(0), "POST", "/v1/cluster/drain", "{}");
    assertEquals(409, refused.status);
    assertEquals(
        "this node is not drained: no other member is there to take its slots",
        refused.json.get("detail").asText());
    assertEquals(List.of(), nodes.get(0).reasonsAgainstReady());
    Verdict verdict = check(nodes.get(2), 1);
    assertEquals("n1", verdict.owner());
    assertEquals(Certainty.EXACT, verdict.certainty());
  }
}
