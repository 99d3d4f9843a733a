/**
 * Counts what a node does, in Micrometer's terms. The only importer of Micrometer.
 *
 * <p>Called by the composition root alone: it passes a {@link
 * io.ringfence.metrics.MicrometerEngineMetrics} to the engine, and the page of a {@link
 * io.ringfence.metrics.PrometheusPage} to the HTTP API. Tags come from the configuration and never
 * from a request, so the number of series is bounded by the rules file and the members. See
 * docs/metrics.md for every series.
 */
@NullMarked
package io.ringfence.metrics;

import org.jspecify.annotations.NullMarked;
