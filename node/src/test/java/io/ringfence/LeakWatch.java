package io.ringfence;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class that loses a buffer. It is around every class of the packages that touch
 * Netty, by its entry among the services of the test resources.
 *
 * <p>Netty tells of a buffer that was lost once the garbage collector has found it and another one
 * is taken; so at the end of a class both are made to happen. Every buffer is watched: the build
 * sets the detector to paranoid, and this class does where a test runs outside of the build.
 */
public final class LeakWatch implements BeforeAllCallback, AfterAllCallback {
  private static final List<String> WATCHED =
      List.of("io.ringfence.http", "io.ringfence.peer", "io.ringfence.embed");
  private static final Queue<String> LOST = new ConcurrentLinkedQueue<>();

  static {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    ByteBufUtil.setLeakListener((resource, records) -> LOST.add(resource + records));
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    assertEquals(ResourceLeakDetector.Level.PARANOID, ResourceLeakDetector.getLevel());
  }

  @Override
  public void afterAll(ExtensionContext context) {
    if (WATCHED.contains(context.getRequiredTestClass().getPackageName())) {
      assertEquals(List.of(), lost(), "buffers were lost");
    }
  }

  /** The buffers that were lost since the last call, as far as the collector finds them. */
  static List<String> lost() {
    for (int round = 0; round < 2; round++) {
      System.gc();
      for (int i = 0; i < 100; i++) {
        ByteBuf taken = PooledByteBufAllocator.DEFAULT.buffer(16);
        taken.release();
      }
    }
    List<String> told = new ArrayList<>();
    for (String next = LOST.poll(); next != null; next = LOST.poll()) {
      told.add(next);
    }
    return told;
  }
}
