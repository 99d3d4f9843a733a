package io.ringfence.embed;

import io.ringfence.engine.Timers;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Timers on one daemon thread. After {@link #close} nothing runs any more, and what is handed in is
 * dropped.
 */
final class ScheduledTimers implements Timers, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ScheduledTimers.class);

  private final ScheduledThreadPoolExecutor executor;

  ScheduledTimers(String threadName) {
    executor =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, threadName);
              thread.setDaemon(true);
              return thread;
            });
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    executor.setRemoveOnCancelPolicy(true);
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // a failure is logged by the task itself
  public void after(long delayNanos, Runnable task) {
    try {
      executor.schedule(guarded(task), delayNanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException closed) {
      LOG.debug("a timer was dropped, as its node is closed");
    }
  }

  /** Runs something on the thread of these timers as soon as it is free. */
  void run(Runnable task) {
    after(0, task);
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }

  private static Runnable guarded(Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        LOG.error("a timed task failed", e);
      }
    };
  }
}
