package io.ringfence.config;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one mapping while they are being read. What is wrong goes into {@link Problems} and
 * reading goes on, so that one look at a file finds more than one mistake. For one thread.
 *
 * <p>Which keys there are is declared before ({@link Keys}); asking for another is a defect of the
 * reader, and one that is written but not declared is an error of the file.
 */
final class Fields {
  /** What an address says that is not listened at. */
  static final String OFF = "off";

  private static final int MAX_CHARS = 2_048;
  private static final int SHOWN_KEYS = 12;

  private final Tree.Mapping mapping;
  private final Set<String> known;
  private final String prefix;
  private final Problems problems;

  /**
   * @param prefix what stands before a field's name in messages: {@code rule x: match.}
   */
  Fields(Tree.Mapping mapping, Set<String> known, String prefix, Problems problems) {
    this.mapping = mapping;
    this.known = known;
    this.prefix = prefix;
    this.problems = problems;
  }

  /** The same fields under another name, once it is known. */
  Fields named(String otherPrefix) {
    return new Fields(mapping, known, otherPrefix, problems);
  }

  Origin origin() {
    return mapping.origin();
  }

  Set<String> written() {
    return new LinkedHashSet<>(mapping.values().keySet());
  }

  boolean has(String key) {
    if (!known.contains(key)) {
      throw new IllegalStateException("not a declared key: " + prefix + key);
    }
    return mapping.values().containsKey(key);
  }

  /** What stands in a field, or null without it. */
  @Nullable Tree tree(String key) {
    return has(key) ? mapping.values().get(key) : null;
  }

  /** Whether a field says that there is to be no such address. */
  boolean isOff(String key) {
    return tree(key) instanceof Tree.Text text && text.value().equals(OFF);
  }

  /** A field that may be left out. */
  <T> T read(String key, Scalars.Reader<T> reader, T otherwise) {
    T value = read(key, reader);
    return value == null ? otherwise : value;
  }

  /** The value of a field, or null where it is left out or wrong. */
  <T> @Nullable T read(String key, Scalars.Reader<T> reader) {
    Tree tree = tree(key);
    return tree == null ? null : readText(key, tree, reader);
  }

  /** The value of a field, or the default where it is left out or wrong; reports nothing. */
  <T> T readQuietly(String key, Scalars.Reader<T> reader, T otherwise) {
    Fields silent = new Fields(mapping, known, prefix, new Problems());
    return silent.read(key, reader, otherwise);
  }

  /** The value of a text that stands in that field, or null where it is wrong. */
  <T> @Nullable T readText(String key, Tree tree, Scalars.Reader<T> reader) {
    if (!(tree instanceof Tree.Text text) || text.isMissing()) {
      problem(key, tree.origin(), "must be a single value, not " + tree.kind());
      return null;
    }
    if (text.value().length() > MAX_CHARS) {
      problem(key, tree.origin(), "must not be longer than " + MAX_CHARS + " characters");
      return null;
    }
    try {
      return reader.read(text.value());
    } catch (IllegalArgumentException e) {
      problem(key, tree.origin(), String.valueOf(e.getMessage()));
      return null;
    }
  }

  /** The values of a field that holds one or a list; empty where it is left out. */
  <T> List<T> readAll(String key, Scalars.Reader<T> reader) {
    Tree tree = tree(key);
    if (tree == null) {
      return List.of();
    }
    List<Tree> items = tree instanceof Tree.Listing listing ? listing.items() : List.of(tree);
    if (items.isEmpty()) {
      problem(key, "must not be an empty list");
    }
    List<T> values = new ArrayList<>();
    for (Tree item : items) {
      T value = readText(key, item, reader);
      if (value == null) {
        continue;
      }
      if (values.contains(value) && item instanceof Tree.Text text) {
        problem(key, item.origin(), "has " + Shown.quoted(text.value()) + " twice");
      }
      values.add(value);
    }
    return values;
  }

  /** The fields of a mapping in a field, or null where there is none. */
  @Nullable Fields section(String key, Set<String> itsKeys) {
    Tree tree = tree(key);
    if (tree instanceof Tree.Mapping inner) {
      return new Fields(inner, itsKeys, prefix + key + ".", problems);
    }
    if (tree != null) {
      problem(key, "must be a mapping of fields, not " + tree.kind());
    }
    return null;
  }

  /** The fields of one entry of the list in a field, or null where it is no mapping. */
  @Nullable Fields entry(String key, Tree item, int index, Set<String> itsKeys) {
    String place = key + "[" + index + "]";
    if (item instanceof Tree.Mapping inner) {
      return new Fields(inner, itsKeys, prefix + place + ".", problems);
    }
    problem(place, item.origin(), "must be a mapping of fields, not " + item.kind());
    return null;
  }

  /** What stands before a field's name in messages. */
  String prefix() {
    return prefix;
  }

  void problem(String key, String what) {
    Origin origin = mapping.keys().get(key);
    problem(key, origin == null ? mapping.origin() : origin, what);
  }

  void problem(String key, Origin origin, String what) {
    problems.add(origin, prefix + key + ": " + what);
  }

  /** Reports what is written here and is not known, or twice. */
  void finish() {
    for (Tree.Text again : mapping.repeated()) {
      Origin first = mapping.keys().getOrDefault(again.value(), mapping.origin());
      problems.add(
          again.origin(),
          prefix
              + Shown.quoted(again.value())
              + ": stands here twice, first in line "
              + first.line());
    }
    for (String key : written()) {
      if (!known.contains(key)) {
        problems.add(
            mapping.keys().getOrDefault(key, mapping.origin()),
            prefix + Shown.quoted(key) + ": " + explainUnknown(key));
      }
    }
  }

  private String explainUnknown(String key) {
    if (key.matches("burst\\s+\\S*")) {
      return "is no field: YAML tore a short form apart at its comma; put it in quotes, such as"
          + " rate: \"1000/minute, burst 200\"";
    }
    if (key.matches("([A-Z|]+ )?/.*")) {
      return "is no field: YAML tore a route apart; put it in quotes";
    }
    return "is not a known field"
        + Suggestion.of(key, known)
        + (known.size() > SHOWN_KEYS ? "" : " (known: " + String.join(", ", known) + ")");
  }
}
