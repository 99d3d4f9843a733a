package io.ringfence.chaos;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.chaos.cluster.Cluster;
import io.ringfence.chaos.cluster.ClusterFiles;
import io.ringfence.chaos.cluster.Launcher;
import io.ringfence.chaos.cluster.NodeProcess;
import io.ringfence.chaos.wire.Answer;
import io.ringfence.chaos.wire.Call;
import io.ringfence.chaos.wire.CheckAnswer;
import io.ringfence.chaos.wire.CheckRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** One process, with nothing but flags and a rules file. */
@Tag("processes")
class SingleNodeTest {
  private static final long LIMIT = 1_000;
  private static final String ROUTE = "GET /counted";

  private static ClusterFiles files;
  private static NodeProcess node;

  @BeforeAll
  static void start() {
    files =
        Trio.files(
            "single",
            Trio.LONG_LEASE,
            "rules:\n  - {name: counted, by: client, algorithm: token-bucket, limit: "
                + LIMIT
                + ", window: 400d}\n");
    node = start("single", "--rules=" + files.rules());
  }

  private static NodeProcess start(String name, String... more) {
    List<String> arguments =
        Stream.concat(
                Stream.of(
                    "node",
                    "--name=" + name,
                    "--http=127.0.0.1:0",
                    "--peer=127.0.0.1:0",
                    "--cluster=127.0.0.1:0"),
                Stream.of(more))
            .toList();
    NodeProcess started = NodeProcess.start(Launcher.packaged(), name, arguments, files.home());
    started.awaitReady(Cluster.PATIENCE);
    return started;
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("badChecks")
  void aBadCheckIsRefusedByNameAndChargesNothing(
      String what, byte[] body, int status, String field) {
    Answer answer = node.call(Call.post("/v1/check", body));
    assertAll(
        () -> assertEquals(status, answer.status(), answer::toString),
        () ->
            assertEquals(
                "application/problem+json",
                String.valueOf(answer.header("content-type")).split(";", 2)[0],
                answer::toString),
        () -> assertTrue(answer.body().contains(field), answer::toString));
    assertEquals(LIMIT, node.peek(new CheckRequest("k", ROUTE)).remaining());
  }

  static Stream<Arguments> badChecks() {
    return Stream.of(
        bad("cost 0", "{\"key\":\"k\",\"cost\":0}", "cost"),
        bad("cost -1", "{\"key\":\"k\",\"cost\":-1}", "cost"),
        bad("cost 1e300", "{\"key\":\"k\",\"cost\":1e300}", "cost"),
        bad("cost 1.0", "{\"key\":\"k\",\"cost\":1.0}", "cost"),
        bad("cost NaN", "{\"key\":\"k\",\"cost\":NaN}", ""),
        bad("cost as text", "{\"key\":\"k\",\"cost\":\"1\"}", "cost"),
        bad("cost above 10^12", "{\"key\":\"k\",\"cost\":1000000000001}", "cost"),
        bad("no key", "{\"route\":\"GET /\"}", "key"),
        bad("an empty key", "{\"key\":\"\"}", "key"),
        bad("a number for a key", "{\"key\":7}", "key"),
        bad("an unknown field", "{\"key\":\"k\",\"kost\":1}", "kost"),
        bad("a field twice", "{\"key\":\"k\",\"key\":\"k\"}", "key"),
        bad("an address that is none", "{\"key\":\"k\",\"attributes\":{\"ip\":\"x\"}}", "ip"),
        bad("half of a JSON text", "{\"key\":\"k\"", ""),
        bad("two JSON texts", "{\"key\":\"k\"}{\"key\":\"k\"}", ""),
        bad("no JSON", "key=k", ""),
        bad("nothing", "", ""),
        Arguments.of("invalid UTF-8", invalidUtf8(), 400, ""),
        Arguments.of(
            "a key over its bound", bytes("{\"key\":\"" + "k".repeat(300) + "\"}"), 413, "key"),
        Arguments.of(
            "a key of a mebibyte", bytes("{\"key\":\"" + "k".repeat(1 << 20) + "\"}"), 413, ""));
  }

  private static Arguments bad(String what, String body, String field) {
    return Arguments.of(what, bytes(body), 400, field);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] invalidUtf8() {
    byte[] body = bytes("{\"key\":\"k?\"}");
    body[9] = (byte) 0xC3;
    return body;
  }

  @Test
  void aGoodCheckIsAnsweredOnTheSameNode() {
    CheckAnswer answer = node.check(new CheckRequest("good", ROUTE));
    assertEquals(LIMIT - 1, answer.remaining());
    assertEquals("counted", answer.rule());
    assertEquals(Set.of("single"), node.clusterPage().names());
  }

  @Test
  void aNodeWithoutAnyFileServesItsOwnRulesAndLeavesWhenAsked() {
    try (NodeProcess alone = start("alone")) {
      assertEquals(200, alone.call(Call.get("/health/ready")).status());
      assertEquals(200, alone.check(new CheckRequest("cust_42", "POST /v1/charges")).status());
      alone.terminate();
      assertEquals(0, alone.awaitExit(Cluster.PATIENCE), alone::log);
    }
  }
}
