package io.ringfence.http;

import java.util.function.Supplier;

/**
 * What a node tells of itself.
 *
 * @param readiness tells whether the node wants traffic
 * @param metricsPage renders the page of {@code GET /metrics} in Prometheus' text format; called on
 *     a thread of each server's own, so it may take a while
 * @param rules the rules in force as they were configured; must not block
 * @param view how the node stands in its cluster; must not block
 * @param promotion has the node go on by itself, without a quorum
 */
public record NodeFacts(
    Readiness readiness,
    Supplier<String> metricsPage,
    Supplier<ConfiguredRules> rules,
    Supplier<ViewFacts> view,
    Promotion promotion) {}
