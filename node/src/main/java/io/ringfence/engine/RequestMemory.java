package io.ringfence.engine;

import io.ringfence.engine.LimitVerdict.Answer;
import io.ringfence.engine.message.RequestKey;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What counters answered to requests that have a name, for a minute.
 *
 * <p>An entry belongs to a request and a counter, so that a check on counters of several owners is
 * remembered by each of them. Bounded: the oldest entry makes way, which is counted; a repeat that
 * comes after that is taken for a new request.
 *
 * <p>Thread-safe. Called with the counter's lock held, so that asking and remembering are one step;
 * its own monitor is held for a few instructions and takes no other lock.
 */
final class RequestMemory {
  static final long MEMORY_NANOS = 60_000_000_000L;
  static final int CAPACITY = 500_000;

  private final EngineMetrics metrics;
  private final Map<Id, Entry> entries = new LinkedHashMap<>(); // guarded by this; oldest first

  RequestMemory(EngineMetrics metrics) {
    this.metrics = metrics;
  }

  private record Id(RequestKey request, CounterKey counter) {}

  /**
   * What a counter answered.
   *
   * @param stands whether it did what was asked; false where it would have charged, but another
   *     counter of the same step denied
   * @param charge what was charged, if it may be taken back
   */
  record First(Answer answer, boolean stands, Step.@Nullable Charge charge) {}

  private record Entry(First first, long atNanos) {}

  /** The first answer to that request, or null where there is none within the last minute. */
  synchronized @Nullable First recall(RequestKey request, CounterKey counter, long nowNanos) {
    Entry entry = entries.get(new Id(request, counter));
    return entry == null || nowNanos - entry.atNanos() >= MEMORY_NANOS ? null : entry.first();
  }

  synchronized void remember(RequestKey request, CounterKey counter, First first, long nowNanos) {
    Iterator<Entry> oldestFirst = entries.values().iterator();
    while (oldestFirst.hasNext()) {
      boolean overdue = nowNanos - oldestFirst.next().atNanos() >= MEMORY_NANOS;
      boolean full = entries.size() >= CAPACITY;
      if (!overdue && !full) {
        break;
      }
      if (!overdue) {
        metrics.overflow("request_ids");
      }
      oldestFirst.remove();
    }
    Id id = new Id(request, counter);
    entries.remove(id); // an entry that has had its minute must not keep its old place
    entries.put(id, new Entry(first, nowNanos));
  }

  synchronized void forget(RequestKey request, CounterKey counter) {
    entries.remove(new Id(request, counter));
  }

  synchronized int size() {
    return entries.size();
  }
}
