package io.ringfence.rules;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rules that may apply without looking at those that cannot.
 *
 * <p>A rule is filed once: under its clients where it names any, else under its tiers, else under
 * the first segments of its routes if each begins with a literal, else among those that are always
 * looked at. A thousand rules for a thousand clients so cost a check one lookup.
 */
final class RuleIndex {
  private final Map<String, List<CompiledRule>> byClient = new HashMap<>();
  private final Map<String, List<CompiledRule>> byTier = new HashMap<>();
  private final Map<String, List<CompiledRule>> bySegment = new HashMap<>();
  private final List<CompiledRule> always = new ArrayList<>();

  RuleIndex(List<CompiledRule> rules) {
    rules.forEach(this::file);
  }

  /** Every rule that may apply, each once, in no particular order. */
  void candidates(Subject subject, Consumer<CompiledRule> consumer) {
    always.forEach(consumer);
    offer(byClient, subject.value(Attributes.CLIENT), consumer);
    offer(byTier, subject.value(Attributes.TIER), consumer);
    if (!bySegment.isEmpty()) {
      NormalPath path = subject.path();
      offer(bySegment, path == null ? null : firstSegment(path.text()), consumer);
    }
  }

  private static void offer(
      Map<String, List<CompiledRule>> index,
      @Nullable String value,
      Consumer<CompiledRule> consumer) {
    List<CompiledRule> filed = value == null ? null : index.get(value);
    if (filed != null) {
      filed.forEach(consumer);
    }
  }

  private void file(CompiledRule compiled) {
    Match match = compiled.rule().match();
    if (!match.values(Attributes.CLIENT).isEmpty()) {
      file(compiled, match.values(Attributes.CLIENT), byClient);
    } else if (!match.values(Attributes.TIER).isEmpty()) {
      file(compiled, match.values(Attributes.TIER), byTier);
    } else if (!firstSegments(match).isEmpty()) {
      file(compiled, firstSegments(match), bySegment);
    } else {
      always.add(compiled);
    }
  }

  private static void file(
      CompiledRule compiled, Collection<String> values, Map<String, List<CompiledRule>> index) {
    for (String value : values) {
      index.computeIfAbsent(value, unused -> new ArrayList<>()).add(compiled);
    }
  }

  /** The literals that the routes of a match begin with, or none where one begins otherwise. */
  private static Collection<String> firstSegments(Match match) {
    List<String> segments = new ArrayList<>();
    for (RoutePattern pattern : match.patterns()) {
      String literal = pattern.firstLiteral();
      if (literal == null) {
        return List.of();
      }
      if (!segments.contains(literal)) {
        segments.add(literal);
      }
    }
    return segments;
  }

  private static String firstSegment(String path) {
    int slash = path.indexOf('/', 1);
    return slash < 0 ? path.substring(1) : path.substring(1, slash);
  }
}
