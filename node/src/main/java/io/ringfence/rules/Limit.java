package io.ringfence.rules;

import io.ringfence.algorithms.Algorithm;
import java.util.List;
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
public record Limit(long id, @Nullable String name, Algorithm algorithm, String window) {

  /**
   * A limit with the id that belongs to it.
   *
   * @param rule the name of its rule
   * @param by what its rule counts by
   * @param name its own name, or null
   */
  public static Limit of(
      String rule, List<String> by, @Nullable String name, Algorithm algorithm, String window) {
    long id = LimitId.of(rule, name, by, algorithm.kind().configName());
    return new Limit(id, name, algorithm, window);
  }
}
