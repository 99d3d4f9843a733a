package io.ringfence.http;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Renders the page of metrics on a thread of its own, as it may take milliseconds that an event
 * loop does not have. At most {@link #MAX_WAITING} are asked for at once; further ones are refused.
 *
 * <p>Thread-safe; does not block.
 */
final class MetricsPages {
  /** The name under which refused pages are counted. */
  static final String BOUND = "http-metrics-pages";

  /** How many pages may be asked for and not yet rendered. */
  static final int MAX_WAITING = 16;

  private final Supplier<String> page;
  private final ThreadPoolExecutor thread;

  MetricsPages(Supplier<String> page, String threadName) {
    this.page = page;
    this.thread =
        new ThreadPoolExecutor(
            1,
            1,
            10,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_WAITING),
            new DefaultThreadFactory(threadName, true));
    thread.allowCoreThreadTimeOut(true);
  }

  /** Renders and hands over, or tells the defect; false if too many wait already. */
  boolean render(Consumer<String> rendered, Consumer<RuntimeException> defect) {
    try {
      thread.execute(
          () -> {
            try {
              rendered.accept(page.get());
            } catch (RuntimeException e) {
              defect.accept(e);
            }
          });
      return true;
    } catch (RejectedExecutionException full) {
      return false;
    }
  }

  void close() {
    thread.shutdownNow();
  }
}
