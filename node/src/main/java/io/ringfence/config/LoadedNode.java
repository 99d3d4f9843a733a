package io.ringfence.config;

import java.util.List;

/**
 * What flags, node file and environment say together. Immutable.
 *
 * @param config the settings
 * @param warnings what is set without effect, or left out at a price, one line each, for the log
 */
public record LoadedNode(NodeConfig config, List<String> warnings) {

  /** Copies the warnings. */
  public LoadedNode {
    warnings = List.copyOf(warnings);
  }
}
