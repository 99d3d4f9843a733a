package io.ringfence.config;

import java.util.LinkedHashMap;
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
   * A mapping in the order in which it was written.
   *
   * @param values the first value of each key
   * @param keys where each key stands first
   * @param repeated the keys that stand there again, which whoever reads the mapping must report
   */
  record Mapping(
      Map<String, Tree> values, Map<String, Origin> keys, List<Text> repeated, Origin origin)
      implements Tree {

    /** A mapping of nothing. */
    static Mapping empty(Origin origin) {
      return new Mapping(Map.of(), Map.of(), List.of(), origin);
    }

    /** The same with one value added or replaced. */
    Mapping with(String key, Tree value) {
      Map<String, Tree> newValues = new LinkedHashMap<>(values);
      Map<String, Origin> newKeys = new LinkedHashMap<>(keys);
      newValues.put(key, value);
      newKeys.put(key, value.origin());
      return new Mapping(newValues, newKeys, repeated, origin);
    }

    @Override
    public String kind() {
      return "a mapping";
    }
  }
}
