package io.ringfence.peer;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class that loses a buffer, as far as the garbage collector finds it in time. Every
 * access to a buffer is recorded meanwhile, so it is not for tests that move megabytes.
 */
final class LeakWatch implements BeforeAllCallback, AfterAllCallback {
  private static final Queue<String> LEAKS = new ConcurrentLinkedQueue<>();

  private ResourceLeakDetector.Level levelBefore = ResourceLeakDetector.Level.DISABLED;

  @Override
  public void beforeAll(ExtensionContext context) {
    levelBefore = ResourceLeakDetector.getLevel();
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    ByteBufUtil.setLeakListener((resource, records) -> LEAKS.add(resource + records));
  }

  @Override
  public void afterAll(ExtensionContext context) {
    for (int round = 0; round < 3; round++) {
      System.gc();
      for (int i = 0; i < 100; i++) { // a leak is reported when another buffer is taken
        ByteBuf taken = PooledByteBufAllocator.DEFAULT.buffer(16);
        taken.release();
      }
    }
    ResourceLeakDetector.setLevel(levelBefore);
    assertTrue(LEAKS.isEmpty(), () -> "buffers were lost: " + LEAKS);
  }
}
