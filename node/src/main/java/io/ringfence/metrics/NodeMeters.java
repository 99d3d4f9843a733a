package io.ringfence.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where a node's series go: into a registry of its own, which it shows as a page, or into the host
 * application's. There each series has the tag {@code node} beside its own, so that several nodes
 * of one JVM can share a registry, and is gone once the node is closed.
 *
 * <p>Thread-safe. One object serves one node.
 */
public final class NodeMeters implements AutoCloseable {
  private static final String HOSTED_PAGE =
      "# The series of this node are in the registry of the application that it runs in.\n";

  private final MeterRegistry target;
  private final Supplier<String> page;
  // Between the node and a host's registry, so that the node's series can be tagged, and taken
  // away again; null for a registry of the node's own.
  private final @Nullable CompositeMeterRegistry between;

  private NodeMeters(
      MeterRegistry target, Supplier<String> page, @Nullable CompositeMeterRegistry between) {
    this.target = target;
    this.page = page;
    this.between = between;
  }

  /** A registry of the node's own, for a node that stands alone. */
  public static NodeMeters ofItsOwn() {
    PrometheusPage page = new PrometheusPage();
    return new NodeMeters(page.registry(), page::text, null);
  }

  /** The registry of the application that the node runs in, which goes on to own it. */
  public static NodeMeters in(MeterRegistry host) {
    return new NodeMeters(host, () -> HOSTED_PAGE, new CompositeMeterRegistry());
  }

  /** The registry for the node of that name; to be called once. */
  MeterRegistry registryOf(String node) {
    if (between == null) {
      return target;
    }
    between.config().commonTags("node", node);
    between.add(target);
    return between;
  }

  /** The series as text, in Prometheus' format; a remark where they are the host's to show. */
  public String page() {
    return page.get();
  }

  /** Takes the node's series away. */
  @Override
  public void close() {
    if (between == null) {
      target.close();
      return;
    }
    for (Meter meter : List.copyOf(between.getMeters())) {
      between.remove(meter);
    }
    between.remove(target);
    between.close();
  }
}
