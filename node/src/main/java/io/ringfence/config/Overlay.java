package io.ringfence.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Lays flags over a node file before anything is read from it, so that a value is typed and checked
 * by one reader wherever it was written, and a message names the flag where it came from one.
 */
final class Overlay {
  private Overlay() {}

  static Tree.Mapping of(Tree.Mapping file, Map<NodeFlag, String> flags) throws ConfigException {
    Tree.Mapping merged = file;
    for (Map.Entry<NodeFlag, String> given : flags.entrySet()) {
      NodeFlag flag = given.getKey();
      Tree value = value(flag, given.getValue());
      if (flag.section().isEmpty()) {
        merged = merged.with(flag.key(), value);
      } else {
        Tree.Mapping section = section(merged, flag);
        merged = merged.with(flag.section(), section.with(flag.key(), value));
      }
    }
    return merged;
  }

  private static Tree value(NodeFlag flag, String given) {
    Origin origin = Origin.of(flag.flag());
    if (flag != NodeFlag.JOIN) {
      return new Tree.Text(given, true, origin);
    }
    List<Tree> items = new ArrayList<>();
    for (String item : given.split(",", -1)) {
      items.add(new Tree.Text(item.strip(), true, origin));
    }
    return new Tree.Listing(items, origin);
  }

  private static Tree.Mapping section(Tree.Mapping file, NodeFlag flag) throws ConfigException {
    Tree section = file.values().get(flag.section());
    if (section == null) {
      return Tree.Mapping.empty(Origin.of(flag.flag()));
    }
    if (section instanceof Tree.Mapping mapping) {
      return mapping;
    }
    throw Problems.fatal(
        section.origin(), flag.section() + ": must be a mapping of fields, not " + section.kind());
  }
}
