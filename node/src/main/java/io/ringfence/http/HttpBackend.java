package io.ringfence.http;

import io.ringfence.engine.Clock;
import io.ringfence.engine.Limiter;

/**
 * What an {@link HttpServer} serves. All of it must be thread-safe.
 *
 * @param limiter answers checks
 * @param clock tells the time that delta headers are counted from
 * @param facts tell of the node itself
 * @param metrics counts what the API itself turns away
 */
public record HttpBackend(Limiter limiter, Clock clock, NodeFacts facts, HttpMetrics metrics) {}
