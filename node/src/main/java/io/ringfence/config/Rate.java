package io.ringfence.config;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The short form {@code N/[k]unit[, burst B]}.
 *
 * @param limit N, 0 to 10^12
 * @param windowNanos k units, 1 when left out
 * @param window the window for people: {@code 1m} for a minute
 * @param burst B, or null without one
 */
record Rate(long limit, long windowNanos, String window, @Nullable Long burst) {
  static final long MAX_UNITS = 1_000_000_000_000L;
  static final String MIN_WINDOW = "1ms";
  static final String MAX_WINDOW = "400d";

  /** A rate that is no rate. */
  static final String UNLIMITED = "unlimited";

  private static final String UNIT_NAMES = "ms, s, second, m, minute, h, hour, d, day";
  private static final Map<String, String> UNITS = units();

  private static final Pattern FORM =
      Pattern.compile("([^/,]*)/([0-9]*)([^,]*?)(?:\\s*,\\s*burst\\s+(\\S+))?");

  static Scalars.Reader<Rate> reader() {
    return Rate::parse;
  }

  private static Rate parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "must be N/unit or N/unit, burst B, such as \"1000/minute, burst 200\", not "
              + Shown.quoted(text));
    }
    String unit = UNITS.get(matcher.group(3));
    if (unit == null) {
      String written = matcher.group(3);
      throw new IllegalArgumentException(
          (written.isEmpty() ? "has no unit" : "has the unknown unit " + Shown.quoted(written))
              + "; known are "
              + UNIT_NAMES);
    }
    long limit = part("the number before the slash ", matcher.group(1));
    String window = (matcher.group(2).isEmpty() ? "1" : matcher.group(2)) + unit;
    long windowNanos = Scalars.nanos(MIN_WINDOW, MAX_WINDOW).read(window);
    String burst = matcher.group(4);
    return new Rate(limit, windowNanos, window, burst == null ? null : part("burst ", burst));
  }

  private static long part(String what, String digits) {
    try {
      return Scalars.whole(0, MAX_UNITS).read(digits);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(what + e.getMessage(), e);
    }
  }

  private static Map<String, String> units() {
    Map<String, String> units = new HashMap<>();
    for (String letter : new String[] {"ms", "s", "m", "h", "d"}) {
      units.put(letter, letter);
    }
    units.put("second", "s");
    units.put("minute", "m");
    units.put("hour", "h");
    units.put("day", "d");
    return units;
  }
}
