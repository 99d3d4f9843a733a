package io.ringfence.chaos;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.chaos.cluster.Cluster;
import io.ringfence.chaos.cluster.ClusterFiles;
import io.ringfence.chaos.cluster.FreePorts;
import io.ringfence.chaos.cluster.Launcher;
import io.ringfence.chaos.cluster.NodeProcess;
import io.ringfence.chaos.load.Hiccups;
import io.ringfence.chaos.wire.Call;
import io.ringfence.chaos.wire.CheckRequest;
import io.ringfence.chaos.wire.HttpConnection;
import io.ringfence.chaos.wire.MachineClock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** SIGTERM to one of two nodes that has every kind of client at that moment. */
@Tag("processes")
class DrainTest {
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String BODY = "{\"key\":\"in flight\"}";
  private static final String HEAD =
      "POST /v1/check HTTP/1.1\r\nHost: t\r\nContent-Length: " + BODY.length() + "\r\n\r\n";

  private final ClusterFiles files =
      Trio.files(
          "drain",
          "shutdown: {drain: "
              + LIMIT.toSeconds()
              + "s}\nforward: {deadline: 1s}\n"
              + Trio.LONG_LEASE,
          "rules:\n  - {name: all, by: client, algorithm: fixed-window, limit: 50, window: 1h}\n");
  private final FreePorts ports = new FreePorts();
  private final int seed = ports.next();
  private final int ownCluster = ports.next();
  private final int ownHttp = ports.next();
  private final int ownPeer = ports.next();

  private NodeProcess start(String name, int http, int peer, int cluster) {
    List<String> arguments =
        List.of(
            "node",
            "--config=" + files.config(),
            "--rules=" + files.rules(),
            "--secret-file=" + files.secret(),
            "--name=" + name,
            "--http=127.0.0.1:" + http,
            "--peer=127.0.0.1:" + peer,
            "--cluster=127.0.0.1:" + cluster,
            "--join=127.0.0.1:" + seed + ",127.0.0.1:" + ownCluster);
    NodeProcess node = NodeProcess.start(Launcher.packaged(), name, arguments, files.home());
    node.awaitReady(Cluster.PATIENCE);
    return node;
  }

  private NodeProcess startLeaver() {
    return start("n2", ownHttp, ownPeer, ownCluster);
  }

  @Test
  void C29_aNodeThatIsToldToStopFallsUnreadyIsMissedAndEndsInTime() throws Exception {
    try (NodeProcess stays = start("n1", 0, 0, seed);
        NodeProcess leaves = startLeaver();
        Hiccups hiccups = Hiccups.start()) {
      awaitView(stays, Set.of("n1", "n2"));
      Probe probe = new Probe(leaves.http());
      try (Socket inFlight = open(leaves);
          HttpConnection idle = HttpConnection.open(leaves.http(), PATIENCE);
          HttpConnection greedy = HttpConnection.open(leaves.http(), PATIENCE)) {
        assertEquals(200, idle.exchange(new CheckRequest("idle", "GET /").check()).status());
        pipelineWithoutReading(greedy);
        Awaitility.await("the node has stopped reading")
            .atMost(PATIENCE)
            .until(
                () ->
                    leaves
                        .call(Call.get("/metrics"))
                        .body()
                        .contains("{bound=\"http-unread\"} 1.0"));
        inFlight
            .getOutputStream()
            .write((HEAD + BODY.substring(0, 5)).getBytes(StandardCharsets.UTF_8));
        Awaitility.await("a call takes 300 ms")
            .pollDelay(Duration.ofMillis(150))
            .until(() -> probe.lastStatus.get() == 200);

        leaves.terminate();
        long toldNanos = MachineClock.nanos();
        Awaitility.await("readiness falls")
            .atMost(PATIENCE)
            .until(() -> probe.unreadyNanos.get() != 0);
        Duration unreadyAfter = Duration.ofNanos(probe.unreadyNanos.get() - toldNanos);
        Awaitility.await("a call takes 300 ms").pollDelay(Duration.ofMillis(150)).until(() -> true);
        inFlight.getOutputStream().write(BODY.substring(5).getBytes(StandardCharsets.UTF_8));
        String answer =
            new String(inFlight.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        awaitView(stays, Set.of("n1"));
        boolean stillDraining = leaves.isAlive();
        int exitCode = leaves.awaitExit(PATIENCE);
        Duration endedAfter = Duration.ofNanos(MachineClock.nanos() - toldNanos);
        Trio.measured("SIGTERM: not ready after", unreadyAfter);
        Trio.measured("SIGTERM: ended after", endedAfter);
        assertAll(
            () -> assertTrue(answer.startsWith("HTTP/1.1 200"), answer),
            () -> assertTrue(answer.contains("connection: close"), answer),
            () -> assertTrue(stillDraining, "the view went on only after the node had ended"),
            () -> assertEquals(0, exitCode, leaves::log),
            () -> within(Duration.ofMillis(100), unreadyAfter, hiccups),
            () -> within(LIMIT.plusSeconds(1), endedAfter, hiccups));
      } finally {
        probe.stop();
      }
      assertEquals(200, stays.check(new CheckRequest("later", "GET /")).status());
      try (NodeProcess again = startLeaver()) {
        awaitView(stays, Set.of("n1", "n2"));
        assertEquals(200, again.check(new CheckRequest("again", "GET /")).status());
      }
    }
  }

  private static void within(Duration allowed, Duration took, Hiccups hiccups) {
    Duration granted = allowed.plus(hiccups.grace());
    assertTrue(took.compareTo(granted) <= 0, () -> took + ", not " + granted);
  }

  private static void awaitView(NodeProcess of, Set<String> names) {
    Awaitility.await("the view of " + names)
        .atMost(Cluster.PATIENCE)
        .pollInterval(Duration.ofMillis(25))
        .until(() -> of.clusterPage().names().equals(names));
  }

  private static Socket open(NodeProcess node) throws IOException {
    Socket socket = new Socket(node.http().getAddress(), node.http().getPort());
    socket.setSoTimeout(Math.toIntExact(PATIENCE.toMillis()));
    return socket;
  }

  private static void pipelineWithoutReading(HttpConnection greedy) {
    List<Call> hundred = Collections.nCopies(100, new CheckRequest("greedy", "GET /").check());
    Thread sender =
        new Thread(
            () -> {
              try {
                for (int i = 0; i < 2_000; i++) {
                  greedy.send(hundred);
                }
              } catch (IOException closed) {
                Trio.measured("the client that never reads", closed.toString());
              }
            });
    sender.setDaemon(true);
    sender.start();
  }

  /** Asks for readiness all the time, on connections of their own. */
  private static final class Probe {
    final AtomicLong lastStatus = new AtomicLong();
    final AtomicLong unreadyNanos = new AtomicLong(); // when 503 was first seen; 0 before
    private final AtomicBoolean stopped = new AtomicBoolean();

    Probe(InetSocketAddress node) {
      Thread thread = new Thread(() -> ask(node), "probe");
      thread.setDaemon(true);
      thread.start();
    }

    private void ask(InetSocketAddress node) {
      while (!stopped.get()) {
        try {
          int status = HttpConnection.once(node, Call.get("/health/ready"), PATIENCE).status();
          lastStatus.set(status);
          if (status == 503) {
            unreadyNanos.compareAndSet(0, MachineClock.nanos());
          }
        } catch (IOException refused) {
          lastStatus.set(0);
        }
      }
    }

    void stop() {
      stopped.set(true);
    }
  }
}
