package io.ringfence.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
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
        merged = with(merged, flag.key(), value);
      } else {
        Tree.Mapping section = section(merged, flag);
        merged = with(merged, flag.section(), with(section, flag.key(), value));
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
      return new Tree.Mapping(Map.of(), Map.of(), Origin.of(flag.flag()));
    }
    if (section instanceof Tree.Mapping mapping) {
      return mapping;
    }
    throw Problems.fatal(
        section.origin(), flag.section() + ": must be a mapping of fields, not " + section.kind());
  }

  private static Tree.Mapping with(Tree.Mapping mapping, String key, Tree value) {
    Map<String, Tree> values = new LinkedHashMap<>(mapping.values());
    Map<String, Origin> keys = new LinkedHashMap<>(mapping.keys());
    values.put(key, value);
    keys.put(key, value.origin());
    return new Tree.Mapping(values, keys, mapping.origin());
  }
}
