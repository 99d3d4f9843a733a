package io.ringfence.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A rule as its file has it. Immutable.
 *
 * @param tiers the tiers that its match names, in the order of the file; empty where it names none
 * @param fields what is written: texts, numbers, booleans, lists and mappings of these
 * @param chars how much text that is
 */
public record WrittenRule(List<String> tiers, Map<String, Object> fields, int chars) {

  /** Copies the outermost of each; what is inside is nobody's to change. */
  public WrittenRule {
    tiers = List.copyOf(tiers);
    fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
  }
}
