package io.ringfence.cli;

/**
 * Makes text safe to print. Whatever would move a cursor, colour a terminal, reverse the direction
 * of writing or be invisible is shown as the escape that JSON has for it, {@code \}{@code u001b}.
 * So JSON stays JSON of the same meaning: outside its strings such characters cannot occur, but for
 * white space.
 */
final class Printable {
  private Printable() {}

  /** The text on one line. */
  static String of(String text) {
    return escaped(text, false);
  }

  /** A document that has been parsed as JSON, with its line breaks and tabs. */
  static String json(String document) {
    return escaped(document.replace('\r', ' '), true);
  }

  private static String escaped(String text, boolean keepLayout) {
    StringBuilder shown = new StringBuilder(text.length());
    text.codePoints().forEach(c -> append(shown, c, keepLayout));
    return shown.toString();
  }

  private static void append(StringBuilder shown, int codePoint, boolean keepLayout) {
    boolean layout = keepLayout && (codePoint == '\n' || codePoint == '\t');
    if (layout || isHarmless(codePoint)) {
      shown.appendCodePoint(codePoint);
      return;
    }
    for (char unit : Character.toChars(codePoint)) {
      shown.append("\\u%04x".formatted((int) unit));
    }
  }

  private static boolean isHarmless(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          false;
      default -> true;
    };
  }
}
