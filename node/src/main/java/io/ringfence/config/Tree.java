package io.ringfence.config;

import java.util.List;
import java.util.Map;

/** A YAML document as it was written: texts, lists and mappings, each with its place. */
sealed interface Tree {

  /** Where it was written. */
  Origin origin();

  /** What it is, for people. */
  String kind();

  /**
   * A scalar.
   *
   * @param value the text, not interpreted
   * @param quoted whether it stood in quotes; an unquoted empty text is a value left out
   */
  record Text(String value, boolean quoted, Origin origin) implements Tree {

    boolean isMissing() {
      return value.isEmpty() && !quoted;
    }

    @Override
    public String kind() {
      return isMissing() ? "nothing" : "text";
    }
  }

  /** A sequence. */
  record Listing(List<Tree> items, Origin origin) implements Tree {
    @Override
    public String kind() {
      return "a list";
    }
  }

  /**
   * A mapping without duplicate keys, in the order in which it was written.
   *
   * @param keys where each key stands
   */
  record Mapping(Map<String, Tree> values, Map<String, Origin> keys, Origin origin)
      implements Tree {
    @Override
    public String kind() {
      return "a mapping";
    }
  }
}
