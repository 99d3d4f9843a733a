package io.ringfence.config;

import io.ringfence.membership.Member;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Who this node is.
 *
 * @param name unique in its cluster, and the same after a restart; 1 to 64 of {@code
 *     [A-Za-z0-9._-]}
 * @param weight its share of the slots against other nodes', 1 to 100
 * @param rules the rules file, or null for the built-in demo rules
 * @param data the directory where counters of long windows are kept across a restart of all nodes,
 *     or null
 */
public record NodeSettings(String name, int weight, @Nullable Path rules, @Nullable Path data) {
  /** Validates the weight. */
  public NodeSettings {
    if (weight < 1 || weight > Member.MAX_WEIGHT) {
      throw new IllegalArgumentException(
          "node.weight must be from 1 to " + Member.MAX_WEIGHT + ", not " + weight);
    }
  }
}
