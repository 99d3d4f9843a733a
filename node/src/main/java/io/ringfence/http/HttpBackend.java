package io.ringfence.http;

import io.ringfence.engine.Clock;
import io.ringfence.engine.Limiter;
import java.util.function.Supplier;

/**
 * What an {@link HttpServer} serves. All of it must be thread-safe.
 *
 * @param limiter answers checks
 * @param clock tells the time that delta headers are counted from
 * @param readiness tells whether the node wants traffic
 * @param metricsPage renders the page of {@code GET /metrics} in Prometheus' text format; called on
 *     a thread of its own, one at a time, so it may take a while
 * @param metrics counts what the API itself turns away
 */
public record HttpBackend(
    Limiter limiter,
    Clock clock,
    Readiness readiness,
    Supplier<String> metricsPage,
    HttpMetrics metrics) {}
