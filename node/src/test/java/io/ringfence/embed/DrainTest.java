package io.ringfence.embed;

import static java.util.Objects.requireNonNull;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.config.NodeFile;
import io.ringfence.engine.Certainty;
import io.ringfence.engine.Check;
import io.ringfence.engine.Verdict;
import io.ringfence.membership.Address;
import io.ringfence.rules.Request;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node that stops: what its callers, its probes and the other members see of it. */
@Timeout(180)
class DrainTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String RULES =
      "rules: [{name: api, by: client, algorithm: fixed-window, limit: 50, window: 1h}]";
  private static final String CHECK =
      "POST /v1/check HTTP/1.1\r\nHost: t\r\nContent-Length: 11\r\n\r\n{\"key\":\"k\"}";
  private static final String METRICS = "GET /metrics HTTP/1.1\r\nHost: t\r\n\r\n";
  private static final String READY = "GET /health/ready HTTP/1.1\r\nHost: t\r\n\r\n";

  @TempDir Path dir;

  private RingfenceNode start(String name, String join, String drain) throws Exception {
    Files.writeString(dir.resolve("rules.yaml"), RULES);
    Path file =
        Files.writeString(
            dir.resolve(name + ".yaml"),
            """
            node: {name: %s}
            listen: {http: "127.0.0.1:0", peer: "127.0.0.1:0", cluster: "127.0.0.1:0"}
            cluster: {name: drain-%d%s}
            forward: {deadline: 10s}
            view: {lease: 3s}
            shutdown: {drain: %s}
            rules: rules.yaml
            """
                .formatted(
                    name,
                    ProcessHandle.current().pid(),
                    join.isEmpty() ? "" : ", join: [\"" + join + "\"]",
                    drain));
    RingfenceNode node = RingfenceNode.start(NodeFile.load(file, Map.of(), null).config());
    assertTrue(node.awaitReady(PATIENCE));
    return node;
  }

  private static Verdict check(RingfenceNode node, String client) {
    CompletableFuture<Verdict> answer = new CompletableFuture<>();
    node.limiter().check(new Check(Request.of(client), 1), answer::complete);
    return answer.join();
  }

  private static List<String> members(RingfenceNode node) {
    return node.limiter().cluster().members().stream().map(m -> m.member().name()).toList();
  }

  /** A client on a connection that it keeps. */
  private static final class Caller implements AutoCloseable {
    final Socket socket;
    private final BufferedReader in;

    Caller(RingfenceNode node) throws IOException {
      Address http = node.addresses().http();
      socket = new Socket(http.host(), http.port());
      socket.setSoTimeout(60_000);
      in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
    }

    void send(String request) throws IOException {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
    }

    /** The whole answer. */
    String ask(String request) throws IOException {
      send(request);
      StringBuilder head = new StringBuilder();
      int length = 0;
      for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
        head.append(line).append('\n');
        if (line.startsWith("content-length: ")) {
          length = Integer.parseInt(line.substring(16));
        }
      }
      for (int i = 0; i < length; i++) {
        head.append((char) in.read());
      }
      return head.toString();
    }

    boolean atEnd() throws IOException {
      return in.read() < 0;
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private static String once(RingfenceNode node, String request) throws IOException {
    try (Caller caller = new Caller(node)) {
      return caller.ask(request);
    }
  }

  @Test
  void C29_readinessFallsFirstTheViewGoesOnAndTheLastCallsAreAnsweredExactly() throws Exception {
    try (RingfenceNode stays = start("n1", "", "20s")) {
      String seed = requireNonNull(stays.addresses().cluster()).toString();
      RingfenceNode leaves = start("n2", seed, "100s"); // so that the notice is 5 s
      await("both see two members")
          .atMost(PATIENCE)
          .until(() -> members(stays).size() == 2 && members(leaves).size() == 2);
      for (int key = 0; key < 40; key++) {
        assertTrue(check(stays, "before-" + key).allowed());
      }
      try (Caller idle = new Caller(leaves);
          Caller open = new Caller(leaves)) {
        assertFalse(idle.ask(CHECK).contains("connection: close"));
        assertFalse(open.ask(CHECK).contains("connection: close"));

        CompletableFuture<Void> closed = CompletableFuture.runAsync(leaves::close);
        await("readiness falls")
            .until(() -> leaves.reasonsAgainstReady().equals(List.of("draining")));
        assertTrue(once(leaves, READY).startsWith("HTTP/1.1 503"), "the listener is still open");
        String last = open.ask(CHECK);
        assertTrue(last.startsWith("HTTP/1.1 200"), last);
        assertTrue(last.contains("connection: close"), last);

        // The view that changes ends the one call that may be under way to the leaver.
        int byPolicy = 0;
        for (int key = 0; key < 40; key++) {
          byPolicy += check(stays, "during-" + key).certainty() == Certainty.DEGRADED ? 1 : 0;
        }
        assertTrue(byPolicy <= 1, "of those who still ask, not answered: " + byPolicy);
        await("the view without it").atMost(PATIENCE).until(() -> members(stays).size() == 1);
        Verdict late = check(leaves, "late");
        assertEquals("n1", late.owner());
        assertFalse(late.certainty() == Certainty.DEGRADED, "a guest asks the owner");
        assertTrue(idle.atEnd(), "idle connections are closed");
        closed.get(60, TimeUnit.SECONDS);
        assertThrows(IOException.class, () -> once(leaves, READY));
      }
      assertEquals(List.of("n1"), members(stays));
      assertTrue(check(stays, "after").allowed());
    }
  }

  @Test
  void C29_aClientThatNeverReadsDoesNotHoldTheDrain() throws Exception {
    RingfenceNode node = start("n1", "", "1s");
    try (Caller greedy = new Caller(node)) {
      Thread sender =
          new Thread(
              () ->
                  assertThrows(
                      IOException.class,
                      () -> {
                        String many = CHECK.repeat(1_000);
                        for (int i = 0; i < 10_000; i++) {
                          greedy.send(many);
                        }
                      }));
      sender.start();
      await("it is not read any more")
          .atMost(PATIENCE)
          .until(() -> once(node, METRICS).contains("{bound=\"http-unread\"} 1.0"));
      CompletableFuture.runAsync(node::close).get(60, TimeUnit.SECONDS);
      sender.join();
    }
    node.close();
  }

  @Test
  void theLastMemberGoesOnDecidingUntilItHasStopped() throws Exception {
    RingfenceNode node = start("n1", "", "20s");
    try (Caller open = new Caller(node)) {
      open.ask(CHECK);
      CompletableFuture<Void> closed = CompletableFuture.runAsync(node::close);
      await("readiness falls").until(() -> !node.reasonsAgainstReady().isEmpty());
      Verdict verdict = check(node, "c");
      assertTrue(verdict.allowed());
      assertEquals(Certainty.EXACT, verdict.certainty());
      closed.get(60, TimeUnit.SECONDS);
    }
  }
}
