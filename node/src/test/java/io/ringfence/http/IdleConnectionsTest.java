package io.ringfence.http;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * As many idle connections as a server takes, each after one answered check. Both ends live in this
 * process, so it needs two file descriptors for each; where there are fewer, fewer are opened.
 */
class IdleConnectionsTest {
  private static final int WANTED = HttpLimits.DEFAULT.connections();
  private static final int LEAST = 1_000;
  private static final int SPARE_DESCRIPTORS = 1_000;
  private static final long MOST_BYTES_EACH = 16 * 1024;

  @Test
  void anIdleConnectionCostsAFewKilobytes() throws IOException {
    int count = (int) Math.min(WANTED, (freeDescriptors() - SPARE_DESCRIPTORS) / 2);
    assumeTrue(
        count >= LEAST, "too few file descriptors: raise `ulimit -n` to " + 2 * (WANTED + 1_000));
    HttpLimits patient =
        new HttpLimits(
            count,
            16,
            TimeUnit.HOURS.toNanos(1),
            TimeUnit.HOURS.toNanos(1),
            TimeUnit.SECONDS.toNanos(20));
    List<SocketChannel> idle = new ArrayList<>(count);
    try (ServerFixture server = new ServerFixture(patient)) {
      server.check("{\"key\":\"warm\"}");
      long before = usedBytes();
      ByteBuffer answer = ByteBuffer.allocate(4_096);
      ByteBuffer check =
          ByteBuffer.wrap(
              RawClient.post("/v1/check", "{\"key\":\"k\"}").getBytes(StandardCharsets.UTF_8));
      while (idle.size() < count) {
        SocketChannel one =
            SocketChannel.open(new InetSocketAddress(server.address.host(), server.address.port()));
        idle.add(one);
        one.write(check.rewind());
        assertTrue(one.read(answer.clear()) > 0, () -> "number " + idle.size() + " was not served");
        assertEquals("HTTP/1.1 200", firstWords(answer));
      }
      long each = (usedBytes() - before) / count;
      System.out.println(
          "measured: " + count + " idle connections, both ends: " + each + " bytes each");
      assertTrue(each < MOST_BYTES_EACH, () -> each + " bytes each");

      try (RawClient oneMore = server.connect()) {
        assertEquals(503, oneMore.read().status());
      }
      assertEquals(1, server.times(HttpBound.CONNECTIONS));
      idle.remove(0).close();
      await("whoever leaves makes room")
          .atMost(Duration.ofSeconds(30))
          .until(() -> server.check("{\"key\":\"k\"}").status() == 200);
    } finally {
      for (SocketChannel one : idle) {
        one.close();
      }
    }
  }

  private static String firstWords(ByteBuffer answer) {
    byte[] words = new byte[12];
    answer.flip().get(words);
    return new String(words, StandardCharsets.US_ASCII);
  }

  private static long freeDescriptors() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getMaxFileDescriptorCount() - unix.getOpenFileDescriptorCount()
        : 0;
  }

  private static long usedBytes() {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    memory.gc();
    return memory.getHeapMemoryUsage().getUsed() + PlatformDependent.usedDirectMemory();
  }
}
