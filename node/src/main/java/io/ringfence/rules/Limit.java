package io.ringfence.rules;

import io.ringfence.algorithms.Algorithm;
import org.jspecify.annotations.Nullable;

/**
 * One limit of a rule.
 *
 * @param id what names this limit on the wire and in the identity of its counters: a hash of the
 *     rule's name, the limit's name, what it counts by and its algorithm. The numbers (limit,
 *     window, burst) are not part of it, so that a raised limit keeps what live keys have used,
 *     while a rule that counts by something else starts new counters. Unique within a rule set.
 * @param name the limit's own name, or null where the rule has only one and gives it none
 * @param algorithm how it counts
 * @param window the window as the file spells it, for people (60s)
 */
public record Limit(long id, @Nullable String name, Algorithm algorithm, String window) {}
