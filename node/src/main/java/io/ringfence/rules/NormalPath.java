package io.ringfence.rules;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * A path as rules compare it, so that another spelling of a path does not walk around its limit.
 *
 * <p>In this order: query and fragment are cut off; every percent-encoded byte is decoded, once, as
 * UTF-8; path parameters ({@code ;x=1}) are cut off each segment; empty segments (doubled and
 * trailing slashes) and {@code .} are dropped, and {@code ..} takes the segment before it along. An
 * encoded slash separates like a plain one, as it does in nginx's {@code location}. Case stays.
 *
 * <p>Servers differ over encoded slashes, backslashes, path parameters, NUL, and escapes that are
 * no UTF-8. A path with any of them is <em>ambiguous</em>: it meets the limits of the path it
 * normalises to, but no rule that lets requests pass uncounted, because whoever receives the
 * request may read another path in it.
 *
 * <p>Linear in the length of the path; a path that is normal already is not copied.
 *
 * @param text the normal form: begins with a slash, ends with one only if it is the root
 * @param ambiguous whether other servers may read another path in what was written
 */
record NormalPath(String text, boolean ambiguous) {

  static NormalPath of(String raw) {
    return isNormal(raw) ? new NormalPath(raw, false) : new Scan(raw).normalise();
  }

  /** Whether nothing needs to be done. Every segment that begins with a dot is looked at twice. */
  private static boolean isNormal(String raw) {
    if (raw.isEmpty() || raw.charAt(0) != '/') {
      return false;
    }
    char previous = 0;
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      switch (c) {
        case '%', ';', '?', '#', '\\', 0 -> {
          return false;
        }
        case '/', '.' -> {
          if (previous == '/') {
            return false;
          }
        }
        default -> {}
      }
      previous = c;
    }
    return previous != '/' || raw.length() == 1;
  }

  /** One pass over a path that may need anything. */
  private static final class Scan {
    private final String raw;
    private final int end;
    private final StringBuilder out;
    private int segmentStart = 1; // where in out the segment being read begins
    private boolean ambiguous;

    Scan(String raw) {
      this.raw = raw;
      this.end = firstOf(raw, '?', '#');
      this.out = new StringBuilder(end + 1).append('/');
    }

    NormalPath normalise() {
      int at = 0;
      while (at < end) {
        char c = raw.charAt(at);
        if (c == '%') {
          at = decodeRun(at);
        } else if (c == ';') {
          ambiguous = true;
          int slash = raw.indexOf('/', at);
          at = slash < 0 || slash > end ? end : slash;
        } else {
          append(c);
          at++;
        }
      }
      endSegment();
      if (out.length() > 1) {
        out.setLength(out.length() - 1);
      }
      return new NormalPath(out.toString(), ambiguous);
    }

    private void append(char c) {
      if (c == '/') {
        endSegment();
        return;
      }
      if (c == '\\' || c == 0) {
        ambiguous = true;
      }
      out.append(c);
    }

    /** Leaves out with a slash at its end, ready for the next segment. */
    private void endSegment() {
      int length = out.length() - segmentStart;
      if (length == 1 && out.charAt(segmentStart) == '.') {
        out.setLength(segmentStart);
      } else if (length == 2 && out.indexOf("..", segmentStart) == segmentStart) {
        int parent = segmentStart < 2 ? 0 : out.lastIndexOf("/", segmentStart - 2);
        out.setLength(parent + 1);
      } else if (length > 0) {
        out.append('/');
      }
      segmentStart = out.length();
    }

    /** Decodes the escapes that follow each other from here, as one piece of UTF-8. */
    private int decodeRun(int start) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      int at = start;
      while (at + 2 < end && raw.charAt(at) == '%' && hexByte(at + 1) >= 0) {
        bytes.write(hexByte(at + 1));
        at += 3;
      }
      if (at == start) {
        ambiguous = true;
        append('%');
        return start + 1;
      }
      appendDecoded(bytes.toByteArray());
      return at;
    }

    private void appendDecoded(byte[] bytes) {
      String text;
      try {
        text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      } catch (CharacterCodingException e) {
        ambiguous = true;
        text = new String(bytes, StandardCharsets.UTF_8);
      }
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        if (c == '/') {
          ambiguous = true;
        }
        append(c);
      }
    }

    private int hexByte(int at) {
      int high = Character.digit(raw.charAt(at), 16);
      int low = Character.digit(raw.charAt(at + 1), 16);
      return high < 0 || low < 0 || raw.charAt(at) > 'f' || raw.charAt(at + 1) > 'f'
          ? -1
          : high << 4 | low;
    }

    private static int firstOf(String text, char a, char b) {
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        if (c == a || c == b) {
          return i;
        }
      }
      return text.length();
    }
  }
}
