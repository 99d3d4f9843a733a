package io.ringfence.engine;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Counters that changed since their copies were last brought up to date, in the order of their
 * first change since. A counter is here once at most, so this is no larger than the table.
 *
 * <p>Thread-safe; never blocks.
 */
final class Changes {
  private final Queue<Counter> changed = new ConcurrentLinkedQueue<>();

  void add(Counter counter) {
    changed.add(counter);
  }

  /** Takes one out; null if there is none. */
  @Nullable Counter poll() {
    return changed.poll();
  }
}
