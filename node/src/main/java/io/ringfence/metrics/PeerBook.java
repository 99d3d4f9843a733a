package io.ringfence.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * The series of the other members, by name. Those of members that have left are taken away, so that
 * nodes which come and go leave nothing behind; what is late counts for {@link #DEPARTED}.
 *
 * <p>Thread-safe; only a change of members takes the lock.
 */
final class PeerBook {
  /** The peer of an error whose member is not, or no longer, in the view. */
  static final String DEPARTED = "departed";

  private final MeterRegistry registry;
  private final Counter departed;
  // Never changed once published.
  private volatile Map<String, Counter> byName = Map.of();

  PeerBook(MeterRegistry registry) {
    this.registry = registry;
    this.departed = register(DEPARTED);
  }

  void error(String name) {
    byName.getOrDefault(name, departed).increment();
  }

  /** From now on these are the other members. */
  synchronized void members(Collection<String> names) {
    Map<String, Counter> next = new HashMap<>();
    for (String name : names) {
      Counter known = byName.get(name);
      next.put(name, known == null ? register(name) : known);
    }
    byName.forEach(
        (name, counter) -> {
          if (!next.containsKey(name) && counter != departed) {
            registry.remove(counter);
          }
        });
    byName = next;
  }

  private Counter register(String name) {
    return Counter.builder(Names.BACKEND_ERRORS)
        .description("Members that were asked and did not answer as they should")
        .tag("peer", name)
        .register(registry);
  }
}
