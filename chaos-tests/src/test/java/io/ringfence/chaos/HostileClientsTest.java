package io.ringfence.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringfence.chaos.cluster.Cluster;
import io.ringfence.chaos.cluster.ClusterFiles;
import io.ringfence.chaos.cluster.Launcher;
import io.ringfence.chaos.cluster.NodeProcess;
import io.ringfence.chaos.wire.Answer;
import io.ringfence.chaos.wire.Call;
import io.ringfence.chaos.wire.CheckRequest;
import io.ringfence.chaos.wire.HttpConnection;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What one client may cost a node that others use, measured from outside. */
@Tag("processes")
class HostileClientsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long MIB = 1024 * 1024;
  private static final Call CHECK = new CheckRequest("k", "GET /").check();

  private static NodeProcess node;

  @BeforeAll
  static void start() throws IOException {
    ClusterFiles files =
        Trio.files(
            "hostile",
            Trio.LONG_LEASE,
            "rules:\n"
                + "  - {name: all, by: client, algorithm: fixed-window, limit: 50, window:"
                + " 1h}\n");
    List<String> arguments =
        List.of("node", "--name=n1", "--http=127.0.0.1:0", "--rules=" + files.rules());
    node = NodeProcess.start(Launcher.packaged(), "n1", arguments, files.home());
    node.awaitReady(Cluster.PATIENCE);
    warmUp();
  }

  /** So that the heap has grown to what ordinary work makes of it. */
  private static void warmUp() throws IOException {
    List<Call> hundred = Collections.nCopies(100, CHECK);
    try (HttpConnection ordinary = HttpConnection.open(node.http(), PATIENCE)) {
      for (int i = 0; i < 500; i++) {
        ordinary.send(hundred);
        for (int answer = 0; answer < 100; answer++) {
          ordinary.receive();
        }
      }
    }
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static long overflows(String bound) {
    String series = "ringfence_overflow_total{bound=\"" + bound + "\"} ";
    return node.call(Call.get("/metrics"))
        .body()
        .lines()
        .filter(line -> line.startsWith(series))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(series.length())))
        .sum();
  }

  @Test
  void C21b_twoHundredThousandChecksOfAClientThatNeverReads() throws Exception {
    long before = node.residentBytes();
    AtomicInteger sent = new AtomicInteger();
    Thread sender;
    try (HttpConnection greedy = HttpConnection.open(node.http(), PATIENCE)) {
      sender =
          new Thread(
              () -> {
                List<Call> hundred = Collections.nCopies(100, CHECK);
                try {
                  while (sent.get() < 200_000) {
                    greedy.send(hundred);
                    sent.addAndGet(100);
                  }
                } catch (IOException closedByTheTest) {
                  Trio.measured("C21b, sent before the node stopped reading", sent.get());
                }
              });
      sender.start();
      Awaitility.await("the node has stopped reading")
          .atMost(PATIENCE)
          .until(() -> overflows("http-unread") > 0);
      for (int i = 0; i < 200; i++) {
        Answer ordinary = node.call(new CheckRequest("other-" + i, "GET /").check());
        assertEquals(200, ordinary.status(), ordinary::toString);
      }
      long grown = node.residentBytes() - before;
      Trio.measured("C21b, memory of the process grew by", grown / 1024 + " KiB");
      assertTrue(grown < 64 * MIB, () -> "grew by " + grown);
    }
    sender.join();
    assertTrue(sent.get() < 200_000, "all of it was taken");
  }

  @Test
  void tenThousandIdleConnectionsAndOneMore() throws IOException {
    int count = 10_000;
    long before = node.residentBytes();
    List<HttpConnection> idle = new ArrayList<>(count);
    try {
      for (int i = 0; i < count; i++) {
        try {
          idle.add(HttpConnection.open(node.http(), PATIENCE));
        } catch (SocketException outOfDescriptors) {
          Assumptions.abort(
              "only "
                  + i
                  + " connections could be opened; raise `ulimit -n` above 11000: "
                  + outOfDescriptors.getMessage());
        }
      }
      for (int i = 0; i < count; i += 100) {
        assertEquals(429, idle.get(i).exchange(CHECK).status(), "its limit was used up long ago");
      }
      long each = (node.residentBytes() - before) / count;
      Trio.measured("an idle connection costs the process, in bytes", each);
      assertTrue(each < 32 * 1024, () -> each + " bytes each");
      try (HttpConnection oneMore = HttpConnection.open(node.http(), PATIENCE)) {
        Answer refusal = oneMore.receive();
        assertEquals(503, refusal.status());
        assertEquals("1", refusal.header("retry-after"));
      }
    } finally {
      for (HttpConnection one : idle) {
        one.close();
      }
    }
    Awaitility.await("whoever leaves makes room")
        .atMost(PATIENCE)
        .until(() -> node.call(Call.get("/health/ready")).status() == 200);
    assertTrue(overflows("http-connections") > 0);
  }
}
