package io.ringfence.config;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How the text of a field becomes a value. Each reader throws IllegalArgumentException with the end
 * of a sentence that begins with the field's name.
 */
final class Scalars {
  /** The units of a duration, in nanoseconds. */
  private static final Map<String, Long> UNITS =
      Map.of(
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L,
          "d", 86_400_000_000_000L);

  private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d)");
  private static final Pattern SIZE = Pattern.compile("([0-9]{1,10})(KiB|MiB)?");
  private static final Pattern FRACTION = Pattern.compile("(0|1)(?:\\.([0-9]{1,6}))?");
  private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}");

  /** Turns the text of a field into its value. */
  @FunctionalInterface
  interface Reader<T> {
    T read(String text);
  }

  private Scalars() {}

  static Reader<String> text() {
    return text -> {
      if (text.isEmpty()) {
        throw new IllegalArgumentException("must not be empty");
      }
      return text;
    };
  }

  /** Names that end up in logs, metrics and answers. */
  static Reader<String> name() {
    return text -> {
      if (!PLAIN_NAME.matcher(text).matches()) {
        throw new IllegalArgumentException(
            "must be 1 to 64 letters, digits, _ . - and begin with a letter or digit, not "
                + Shown.quoted(text));
      }
      return text;
    };
  }

  static Reader<Long> whole(long least, long most) {
    return text -> {
      boolean digits = !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
      boolean leadingZero = text.length() > 1 && text.startsWith("0");
      if (!digits || leadingZero || text.length() > 18) {
        throw notWhole(least, most, text);
      }
      long value = Long.parseLong(text);
      if (value < least || value > most) {
        throw notWhole(least, most, text);
      }
      return value;
    };
  }

  static Reader<Integer> wholeInt(int least, int most) {
    Reader<Long> reader = whole(least, most);
    return text -> Math.toIntExact(reader.read(text));
  }

  private static IllegalArgumentException notWhole(long least, long most, String text) {
    return new IllegalArgumentException(
        "must be a whole number from "
            + least
            + " to "
            + most
            + " in plain digits, not "
            + Shown.quoted(text));
  }

  static Reader<Boolean> bool() {
    return choice(Map.of("true", true, "false", false), List.of("true", "false"));
  }

  /** One of some words, which are listed in that order where it is none of them. */
  static <T> Reader<T> choice(Map<String, T> values, List<String> order) {
    return text -> {
      T value = values.get(text);
      if (value == null) {
        throw new IllegalArgumentException(
            "must be one of " + String.join(", ", order) + ", not " + Shown.quoted(text));
      }
      return value;
    };
  }

  /** One of some words, as it is. */
  static Reader<String> word(List<String> words) {
    return text -> {
      if (!words.contains(text)) {
        throw new IllegalArgumentException(
            "must be one of " + String.join(", ", words) + ", not " + Shown.quoted(text));
      }
      return text;
    };
  }

  /** A span in nanoseconds: a number and a unit; the bounds are written likewise. */
  static Reader<Long> nanos(String least, String most) {
    long min = nanosOf(least);
    long max = nanosOf(most);
    return text -> {
      if (!DURATION.matcher(text).matches()) {
        throw new IllegalArgumentException(
            "must be a number and a unit (ms, s, m, h, d) from "
                + least
                + " to "
                + most
                + ", such as 10s, not "
                + Shown.quoted(text));
      }
      long nanos = nanosOf(text);
      if (nanos < min || nanos > max) {
        throw new IllegalArgumentException(
            "must be from " + least + " to " + most + ", not " + Shown.quoted(text));
      }
      return nanos;
    };
  }

  /** Of a text that is known to be a duration; what does not fit is the largest there is. */
  private static long nanosOf(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not a duration: " + text);
    }
    long unit = UNITS.getOrDefault(matcher.group(2), 0L);
    long count = Long.parseLong(matcher.group(1));
    return count > Long.MAX_VALUE / unit ? Long.MAX_VALUE : count * unit;
  }

  /** A number of bytes: plain, or with KiB or MiB behind it. */
  static Reader<Integer> bytes(int least, int most) {
    return text -> {
      Matcher matcher = SIZE.matcher(text);
      if (matcher.matches()) {
        String unit = matcher.group(2);
        int shift = unit == null ? 0 : unit.equals("KiB") ? 10 : 20;
        long bytes = Long.parseLong(matcher.group(1)) << shift;
        if (bytes >= least && bytes <= most) {
          return (int) bytes;
        }
      }
      throw new IllegalArgumentException(
          "must be a size in bytes, KiB or MiB from "
              + least
              + " to "
              + most
              + " bytes, such as 64KiB, not "
              + Shown.quoted(text));
    };
  }

  /** A fraction above 0 and up to 1, in millionths. */
  static Reader<Long> millionths() {
    return text -> {
      Matcher matcher = FRACTION.matcher(text);
      if (matcher.matches()) {
        String decimals = matcher.group(2) == null ? "" : matcher.group(2);
        String padded = decimals + "0".repeat(6 - decimals.length());
        long millionths = Long.parseLong(matcher.group(1)) * 1_000_000 + Long.parseLong(padded);
        if (millionths >= 1 && millionths <= 1_000_000) {
          return millionths;
        }
      }
      throw new IllegalArgumentException(
          "must be a decimal from 0.000001 to 1 with at most six places, not "
              + Shown.quoted(text));
    };
  }
}
