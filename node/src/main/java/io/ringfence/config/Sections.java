package io.ringfence.config;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The sections of a node file, each read and complained about once. For one thread. */
final class Sections {
  private final Fields file;
  private final Problems problems;
  private final Map<String, Fields> opened = new HashMap<>();

  Sections(Tree.Mapping written, Problems problems) {
    this.file = new Fields(written, Keys.NODE_FILE, "", problems);
    this.problems = problems;
    file.finish();
  }

  /** The top level. */
  Fields file() {
    return file;
  }

  /** A section; without fields where it is not written, or not a mapping. */
  Fields open(String name) {
    return opened.computeIfAbsent(name, this::read);
  }

  /** Where a section begins, for what concerns the whole of it. */
  Origin origin(String name) {
    Tree written = file.tree(name);
    return written == null ? file.origin() : written.origin();
  }

  private Fields read(String name) {
    Set<String> keys = Keys.documented().getOrDefault(name, Set.of());
    Fields section = file.section(name, keys);
    if (section == null) {
      section = new Fields(Tree.Mapping.empty(origin(name)), keys, name + ".", problems);
    }
    section.finish();
    return section;
  }
}
