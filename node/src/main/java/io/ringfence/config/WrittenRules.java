package io.ringfence.config;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Turns the rules of a file that was found good into plain values, for whoever shows them: texts,
 * numbers, booleans, lists and mappings, under the names and in the order of the file. Nothing is
 * filled in. A scalar is a number or a boolean only where its field is one, so a client named 0123
 * keeps its name.
 */
final class WrittenRules {
  private static final Set<String> WHOLE =
      Set.of("limit", "burst", "cost", "stage", "priority", "status");

  private static final String MATCH = "match";
  private static final String TIER = "tier";

  private WrittenRules() {}

  static List<WrittenRule> of(List<Tree> rules) {
    List<WrittenRule> written = new ArrayList<>();
    for (Tree tree : rules) {
      if (tree instanceof Tree.Mapping rule) {
        written.add(new WrittenRule(tiers(rule), fields(rule), chars(rule)));
      }
    }
    return written;
  }

  private static List<String> tiers(Tree.Mapping rule) {
    Tree tier =
        rule.values().get(MATCH) instanceof Tree.Mapping match ? match.values().get(TIER) : null;
    if (tier instanceof Tree.Text text && text.value().equals(MatchReader.ABSENT)) {
      return List.of();
    }
    return texts(tier);
  }

  private static List<String> texts(@Nullable Tree tree) {
    if (tree instanceof Tree.Text text) {
      return List.of(text.value());
    }
    return tree instanceof Tree.Listing list
        ? list.items().stream().flatMap(item -> texts(item).stream()).toList()
        : List.of();
  }

  private static Map<String, Object> fields(Tree.Mapping mapping) {
    Map<String, Object> fields = new LinkedHashMap<>();
    mapping.values().forEach((key, value) -> fields.put(key, value(key, value)));
    return fields;
  }

  private static Object value(String key, Tree tree) {
    if (tree instanceof Tree.Listing list) {
      return list.items().stream().map(item -> value(key, item)).toList();
    }
    if (tree instanceof Tree.Mapping mapping) {
      return key.equals(MATCH) ? asTexts(mapping) : fields(mapping);
    }
    String text = ((Tree.Text) tree).value();
    if (WHOLE.contains(key)) {
      return Long.valueOf(text);
    }
    if (key.equals("local_fraction")) {
      return new BigDecimal(text);
    }
    return key.equals("shadow") ? (Object) Boolean.valueOf(text) : text;
  }

  /** What a request is matched by is text, whatever an attribute is called. */
  private static Map<String, Object> asTexts(Tree.Mapping match) {
    Map<String, Object> fields = new LinkedHashMap<>();
    match
        .values()
        .forEach(
            (key, value) ->
                fields.put(key, value instanceof Tree.Text text ? text.value() : texts(value)));
    return fields;
  }

  private static int chars(Tree tree) {
    if (tree instanceof Tree.Text text) {
      return text.value().length();
    }
    if (tree instanceof Tree.Listing list) {
      return list.items().stream().mapToInt(WrittenRules::chars).sum();
    }
    return ((Tree.Mapping) tree)
        .values().entrySet().stream()
            .mapToInt(field -> field.getKey().length() + chars(field.getValue()))
            .sum();
  }
}
