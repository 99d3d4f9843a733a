package io.ringfence.metrics;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A page in Prometheus' text format, read strictly: anything that is not in the format fails. */
final class Exposition {
  private static final String NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
  private static final String LABEL =
      "[a-zA-Z_][a-zA-Z0-9_]*=\"(?:[^\"\\\\\\n]|\\\\\\\\|\\\\\"|\\\\n)*\"";
  private static final Pattern SAMPLE =
      Pattern.compile(
          "("
              + NAME
              + ")(\\{(?:"
              + LABEL
              + "(?:,"
              + LABEL
              + ")*)?\\})? "
              + "([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?|NaN|[-+]?Inf)");
  private static final Pattern COMMENT =
      Pattern.compile(
          "# (?:HELP " + NAME + " .*|TYPE " + NAME + " (counter|gauge|histogram|summary))");

  private final Map<String, Double> samples = new HashMap<>();
  private final Set<String> names = new TreeSet<>();

  private Exposition() {}

  static Exposition parse(String text) {
    Exposition page = new Exposition();
    for (String line : text.split("\n", -1)) {
      if (line.isEmpty() || COMMENT.matcher(line).matches()) {
        continue;
      }
      Matcher sample = SAMPLE.matcher(line);
      if (!sample.matches()) {
        throw new AssertionError("not in the format: " + line);
      }
      String labels = sample.group(2) == null ? "" : sample.group(2);
      String value = sample.group(3).replace("Inf", "Infinity");
      if (page.samples.put(sample.group(1) + labels, Double.valueOf(value)) != null) {
        throw new AssertionError("twice: " + line);
      }
      page.names.add(sample.group(1));
    }
    return page;
  }

  int seriesCount() {
    return samples.size();
  }

  /** The value of a series, with its labels as the page orders them. */
  @Nullable Double value(String series) {
    return samples.get(series);
  }

  Set<String> names() {
    return names;
  }

  /** All values that a label has on the page. */
  Set<String> tags(String label) {
    Pattern pattern = Pattern.compile("[{,]" + label + "=\"([^\"]*)\"");
    Set<String> values = new TreeSet<>();
    for (String series : samples.keySet()) {
      Matcher matcher = pattern.matcher(series);
      while (matcher.find()) {
        values.add(matcher.group(1));
      }
    }
    return values;
  }
}
