package io.ringfence.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One counter per name of a small set of names that are constants in the code. Should more than
 * {@link #MAX_NAMES} ever come, the rest share the name {@code other}. Thread-safe.
 */
final class NamedCounters {
  /** The most names that are told apart. */
  static final int MAX_NAMES = 64;

  private static final String OTHER = "other";

  private final MeterRegistry registry;
  private final String meter;
  private final String tag;
  private final String description;
  private final Map<String, Counter> byName = new ConcurrentHashMap<>();

  NamedCounters(MeterRegistry registry, String meter, String tag, String description) {
    this.registry = registry;
    this.meter = meter;
    this.tag = tag;
    this.description = description;
  }

  void count(String name) {
    Counter known = byName.get(name);
    if (known == null) {
      String counted = byName.size() < MAX_NAMES ? name : OTHER;
      known = byName.computeIfAbsent(counted, this::register);
    }
    known.increment();
  }

  private Counter register(String name) {
    return Counter.builder(meter).description(description).tag(tag, name).register(registry);
  }
}
