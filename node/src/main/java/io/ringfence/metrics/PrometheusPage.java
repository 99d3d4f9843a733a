package io.ringfence.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/**
 * The registry of a node that stands alone, and its page in Prometheus' text format (version
 * 0.0.4). Thread-safe.
 */
public final class PrometheusPage implements AutoCloseable {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  /** Where series are registered that the page shows. */
  public MeterRegistry registry() {
    return registry;
  }

  /** The page as it stands. Takes time in proportion to the number of series; does not block. */
  public String text() {
    return registry.scrape();
  }

  /** Closes the registry; nothing is counted afterwards. */
  @Override
  public void close() {
    registry.close();
  }
}
