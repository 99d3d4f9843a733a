package io.ringfence.config;

import java.util.regex.Pattern;

/** Puts what was read into messages: in quotes, cut, and without anything that moves a cursor. */
final class Shown {
  private static final int MAX_CHARS = 60;

  private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

  private Shown() {}

  /** A message on one line, whatever a library or a file's name put into it. */
  static String line(String message) {
    return UNPRINTABLE.matcher(message).replaceAll("?");
  }

  static String quoted(String text) {
    StringBuilder shown = new StringBuilder("\"");
    int end = Math.min(text.length(), MAX_CHARS);
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      if (c < ' ' || c == '"' || c == '\\' || c >= 0x7f) {
        shown.append("\\u%04x".formatted((int) c));
      } else {
        shown.append(c);
      }
    }
    return shown.append(end < text.length() ? "...\"" : "\"").toString();
  }
}
