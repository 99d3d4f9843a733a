package io.ringfence.rules;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code METHOD[|METHOD] PATH} or {@code PATH}.
 *
 * <p>The path is compared segment by segment with a {@link NormalPath}: a literal equals, {@code *}
 * and {@code {name}} stand for one segment, {@code **} as the last for any rest, also for none, so
 * that {@code /search/**} holds for {@code /search}. Case matters. A pattern with methods never
 * holds for a request without one. Matching takes one pass over the path and allocates nothing.
 *
 * <p>Immutable and thread-safe.
 */
public final class RoutePattern {
  private static final int MAX_CHARS = 1_024;
  private static final int MAX_SEGMENTS = 64;
  private static final String ONE = "*";
  private static final Pattern METHOD = Pattern.compile("[A-Z][A-Z-]{0,31}");
  private static final Pattern NAMED = Pattern.compile("\\{[A-Za-z0-9_.-]{1,64}}");
  private static final Pattern UNFIT = Pattern.compile("[?#;%\\\\{}*\\p{Cntrl}]");

  /** Empty where any method, and none, will do. */
  private final List<String> methods;

  /** Literals, and ONE for a wildcard. */
  private final String[] segments;

  private final boolean anyRest;
  private final String text;

  private RoutePattern(List<String> methods, String[] segments, boolean anyRest) {
    this.methods = List.copyOf(methods);
    this.segments = segments;
    this.anyRest = anyRest;
    this.text = textOf(methods, segments, anyRest);
  }

  /**
   * Reads a pattern.
   *
   * @throws IllegalArgumentException saying what is wrong with it
   */
  public static RoutePattern parse(String text) {
    if (text.length() > MAX_CHARS) {
      throw new IllegalArgumentException("is longer than " + MAX_CHARS + " characters");
    }
    int space = text.startsWith("/") ? -1 : text.indexOf(' ');
    List<String> methods = space < 0 ? List.of() : parseMethods(text.substring(0, space));
    String path = text.substring(space + 1);
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException(
          "is not METHOD PATH or PATH with a path that begins with / (one space between them)");
    }
    List<String> segments = new ArrayList<>();
    boolean anyRest = false;
    for (String segment : path.split("/", -1)) {
      if (anyRest && !segment.isEmpty()) {
        throw new IllegalArgumentException("has ** before its last segment");
      }
      if (segment.equals("**")) {
        anyRest = true;
      } else if (!segment.isEmpty()) {
        segments.add(checked(segment));
      }
    }
    if (segments.size() > MAX_SEGMENTS) {
      throw new IllegalArgumentException("has more than " + MAX_SEGMENTS + " segments");
    }
    return new RoutePattern(methods, segments.toArray(String[]::new), anyRest);
  }

  /** The pattern in one spelling: what a rule that counts by route counts. */
  public String text() {
    return text;
  }

  /** Whether the pattern holds for that method and that normal path. */
  boolean matches(@Nullable String method, String path) {
    return matchesMethod(method) && matchesPath(path);
  }

  /** The literal that every path of this pattern begins with, or null where there is none. */
  @Nullable String firstLiteral() {
    return segments.length == 0 || segments[0].equals(ONE) ? null : segments[0];
  }

  /** Whether some request is matched by both. */
  boolean overlaps(RoutePattern other) {
    return methodsMeet(other) && pathsMeet(other);
  }

  private static String textOf(List<String> methods, String[] segments, boolean anyRest) {
    StringBuilder text = new StringBuilder();
    if (!methods.isEmpty()) {
      text.append(String.join("|", methods)).append(' ');
    }
    for (String segment : segments) {
      text.append('/').append(segment);
    }
    if (anyRest) {
      text.append("/**");
    } else if (segments.length == 0) {
      text.append('/');
    }
    return text.toString();
  }

  private static List<String> parseMethods(String text) {
    List<String> methods = Arrays.asList(text.split("\\|", -1));
    for (String method : methods) {
      if (!METHOD.matcher(method).matches()) {
        throw new IllegalArgumentException(
            "has a method that is not in upper-case letters, such as GET or GET|POST");
      }
    }
    if (new HashSet<>(methods).size() < methods.size()) {
      throw new IllegalArgumentException("names a method twice");
    }
    return methods;
  }

  private static String checked(String segment) {
    if (segment.equals(ONE) || NAMED.matcher(segment).matches()) {
      return ONE;
    }
    if (segment.equals(".") || segment.equals("..")) {
      throw new IllegalArgumentException("has a segment that is . or .., which no normal path has");
    }
    if (UNFIT.matcher(segment).find()) {
      throw new IllegalArgumentException(
          "has a segment that is neither plain text (decoded, without ? # ; % \\), nor a whole *,"
              + " ** or {name}");
    }
    return segment;
  }

  private boolean matchesMethod(@Nullable String method) {
    return methods.isEmpty() || (method != null && methods.contains(method));
  }

  private boolean matchesPath(String path) {
    int at = 0; // the slash before the next segment, or the end of the path
    int length = path.length() == 1 ? 0 : path.length();
    for (String segment : segments) {
      if (at >= length) {
        return false;
      }
      int start = at + 1;
      if (segment.equals(ONE)) {
        int slash = path.indexOf('/', start);
        at = slash < 0 ? length : slash;
      } else {
        if (!path.startsWith(segment, start)) {
          return false;
        }
        at = start + segment.length();
        if (at < length && path.charAt(at) != '/') {
          return false;
        }
      }
    }
    return anyRest || at >= length;
  }

  private boolean methodsMeet(RoutePattern other) {
    if (methods.isEmpty() || other.methods.isEmpty()) {
      return true;
    }
    return methods.stream().anyMatch(other.methods::contains);
  }

  private boolean pathsMeet(RoutePattern other) {
    int common = Math.min(segments.length, other.segments.length);
    for (int i = 0; i < common; i++) {
      String a = segments[i];
      String b = other.segments[i];
      if (!a.equals(b) && !a.equals(ONE) && !b.equals(ONE)) {
        return false;
      }
    }
    return (segments.length == common || other.anyRest)
        && (other.segments.length == common || anyRest);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RoutePattern pattern && text.equals(pattern.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
