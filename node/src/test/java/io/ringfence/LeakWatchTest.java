package io.ringfence;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The watch sees what it is there to see. */
class LeakWatchTest {

  @Test
  void aBufferThatNobodyReleasesIsFound() {
    assertEquals(List.of(), LeakWatch.lost());
    assertTrue(lose().isReadable());
    List<String> found = new ArrayList<>();
    await("the collector finds it")
        .until(
            () -> {
              found.addAll(LeakWatch.lost());
              return !found.isEmpty();
            });
    assertEquals(1, found.size());
  }

  private static ByteBuf lose() {
    ByteBuf buffer = PooledByteBufAllocator.DEFAULT.heapBuffer(64);
    return buffer.writeByte(1).asReadOnly();
  }
}
