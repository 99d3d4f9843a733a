package io.ringfence.config;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a rule that this release checks and does not act on. They are accepted so that a
 * file is good for the next release too, and answered by a warning so that nobody relies on them.
 */
final class WithoutEffect {
  private record Known(List<String> words, @Nullable String byDefault, String because) {}

  private static final Map<String, Known> FIELDS =
      Map.of(
          "purpose",
          new Known(
              List.of("capacity", "fairness", "abuse"), null, "no default is derived from it yet"));

  private WithoutEffect() {}

  /** The names of these fields. */
  static Set<String> keys() {
    return FIELDS.keySet();
  }

  static void warn(Fields fields, List<String> warnings) {
    for (String key : Keys.RULE) {
      Known known = FIELDS.get(key);
      if (known == null) {
        continue;
      }
      String word = fields.read(key, Scalars.word(known.words));
      if (word != null && !word.equals(known.byDefault)) {
        warnings.add(
            fields.prefix()
                + key
                + " "
                + word
                + " has no effect in this release: "
                + known.because);
      }
    }
  }
}
