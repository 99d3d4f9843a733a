package io.ringfence.config;

import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Guesses which name was meant. */
final class Suggestion {
  /** What other limiters call the same thing. */
  private static final Map<String, String> SYNONYMS =
      Map.of(
          "period", "window",
          "interval", "window",
          "duration", "window",
          "key", "by",
          "capacity", "burst",
          "requests", "limit",
          "type", "algorithm",
          "when", "match");

  private Suggestion() {}

  /** {@code ; did you mean limit?} or nothing. */
  static String of(String name, Collection<String> known) {
    String meant = closest(name, known);
    return meant == null ? "" : "; did you mean " + meant + "?";
  }

  private static @Nullable String closest(String name, Collection<String> known) {
    String synonym = SYNONYMS.get(name);
    if (synonym != null && known.contains(synonym)) {
      return synonym;
    }
    if (name.length() > 40) {
      return null;
    }
    int best = Math.min(2, name.length() / 2) + 1;
    String meant = null;
    for (String candidate : known) {
      int distance = distance(name, candidate);
      if (distance < best) {
        best = distance;
        meant = candidate;
      }
    }
    return meant;
  }

  /** Levenshtein's distance: how many letters to insert, delete or change. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
