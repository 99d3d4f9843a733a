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
 * @param cluster has the node do what operators ask of it as a member
 */
public record NodeFacts(
    Readiness readiness,
    Supplier<String> metricsPage,
    Supplier<ConfiguredRules> rules,
    Supplier<ViewFacts> view,
    ClusterCalls cluster) {}
