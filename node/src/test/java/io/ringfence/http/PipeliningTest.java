package io.ringfence.http;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.util.internal.PlatformDependent;
import io.ringfence.engine.Verdict;
import io.ringfence.engine.VerdictListener;
import io.ringfence.rules.Rule;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Many requests on one connection: their order, and what a peer that does not read may cost. */
class PipeliningTest {
  private static final Rule RULE = Verdicts.plain("r", 0);
  private static final String CHECK = RawClient.post("/v1/check", "{\"key\":\"k\"}");

  private static Verdict numbered(int number) {
    return Verdicts.of(true, Verdicts.passes(RULE, 1_000, number, 0));
  }

  @Test
  void answersKeepTheOrderOfTheirRequests() throws Exception {
    List<VerdictListener> waiting = new CopyOnWriteArrayList<>();
    try (ServerFixture server = new ServerFixture();
        RawClient client = server.connect()) {
      server.limiter.script = (check, listener) -> waiting.add(listener);
      client.send(CHECK.repeat(3) + RawClient.get("/health/live") + CHECK.repeat(2));
      await("five checks asked").until(() -> waiting.size() == 5);

      for (int i : new int[] {4, 1, 3, 0, 2}) {
        Thread answering = new Thread(() -> waiting.get(i).verdict(numbered(i)));
        answering.start();
        answering.join();
      }
      for (int i = 0; i < 3; i++) {
        assertEquals(i, client.read().json().get("remaining").asInt());
      }
      assertEquals("live", client.read().json().get("status").asText());
      assertEquals(3, client.read().json().get("remaining").asInt());
      assertEquals(4, client.read().json().get("remaining").asInt());
    }
  }

  @Test
  void onlySoManyAreInProgressAtOnce() throws Exception {
    HttpLimits limits =
        new HttpLimits(
            10, 4, HttpLimits.DEFAULT.idleNanos(), HttpLimits.DEFAULT.requestNanos(), 1_000_000);
    AtomicInteger inProgress = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<VerdictListener> waiting = new CopyOnWriteArrayList<>();
    try (ServerFixture server = new ServerFixture(limits);
        RawClient client = server.connect()) {
      server.limiter.script =
          (check, listener) -> {
            most.accumulateAndGet(inProgress.incrementAndGet(), Math::max);
            waiting.add(listener);
          };
      client.send(CHECK.repeat(50));
      for (int answered = 0; answered < 50; answered++) {
        int next = answered;
        await("check " + next + " asked").until(() -> waiting.size() > next);
        inProgress.decrementAndGet();
        waiting.get(next).verdict(numbered(next));
        assertEquals(next, client.read().json().get("remaining").asInt());
      }
      assertEquals(4, most.get());
    }
  }

  @Test
  void C21b_aPeerThatNeverReadsIsNotReadEither() throws Exception {
    int checks = 200_000;
    CountDownLatch stopped = new CountDownLatch(1);
    try (ServerFixture server = new ServerFixture();
        RawClient greedy = server.connect()) {
      server.limiter.answer(numbered(1));
      server.check("{\"key\":\"warm\"}");
      long before = usedBytes();
      Thread sender =
          new Thread(
              () -> {
                try {
                  byte[] hundred = CHECK.repeat(100).getBytes(StandardCharsets.UTF_8);
                  for (int i = 0; i < checks / 100; i++) {
                    greedy.send(hundred);
                  }
                } catch (IOException closedByTheTest) {
                  stopped.countDown();
                }
              });
      sender.start();
      int stalledAt = awaitStall(server.limiter.asked);

      assertTrue(stalledAt < checks, "all " + checks + " were taken");
      long grown = usedBytes() - before;
      assertTrue(grown < 64L * 1024 * 1024, "heap and direct memory grew by " + grown);
      long unread = server.server.premises().unread().totalBytes();
      long mayWait = 2L * HttpConnection.MAX_WAITING_BYTES + 2 * HttpConnection.READ_BYTES;
      assertTrue(unread > 0 && unread < mayWait, "answers that wait: " + unread);
      assertEquals(1, server.times(HttpBound.UNREAD));
      assertEquals(200, server.check("{\"key\":\"another connection\"}").status());
      for (int i = 0; i < 1_000; i++) {
        assertEquals(200, greedy.read().status());
      }
      greedy.socket().close();
      assertTrue(stopped.await(20, TimeUnit.SECONDS), "the sender noticed the close");
      sender.join();
    }
  }

  /** The count at which it stood still for ten looks in a row. */
  private static int awaitStall(AtomicInteger asked) {
    AtomicInteger lastSeen = new AtomicInteger(-1);
    await("checks are no longer taken")
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(100))
        .during(Duration.ofSeconds(1))
        .until(() -> asked.get() > 1 && lastSeen.getAndSet(asked.get()) == asked.get());
    return asked.get();
  }

  private static long usedBytes() {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    memory.gc();
    return memory.getHeapMemoryUsage().getUsed() + PlatformDependent.usedDirectMemory();
  }
}
