package io.ringfence.http;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * The query of a request target, decoded strictly: every % is followed by two hex digits, the bytes
 * are UTF-8, a plus is a space. What cannot be read is refused, not replaced: a replaced byte would
 * be another key.
 */
final class Query {
  private static final int MAX_PARAMETERS = 64;

  private Query() {}

  /** Receives each parameter in order. */
  @FunctionalInterface
  interface Parameters {
    /** One name with its value. */
    void parameter(String name, String value) throws BadInput;
  }

  /** Reads what follows the question mark of a request target. */
  static void read(String query, Parameters parameters) throws BadInput {
    int count = 0;
    int start = 0;
    while (start < query.length()) {
      int amp = query.indexOf('&', start);
      int end = amp < 0 ? query.length() : amp;
      if (end > start) {
        if (++count > MAX_PARAMETERS) {
          throw bad("query has more than " + MAX_PARAMETERS + " parameters");
        }
        int equals = query.indexOf('=', start);
        boolean named = equals >= 0 && equals < end;
        String name = decode(query.substring(start, named ? equals : end));
        parameters.parameter(name, named ? decode(query.substring(equals + 1, end)) : "");
      }
      start = end + 1;
    }
  }

  private static String decode(String text) throws BadInput {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c == '%') {
        bytes.write(hex(text, at++) << 4 | hex(text, at++));
      } else if (c > 0xff) {
        throw bad("query is not ASCII; encode other characters as UTF-8 with percent signs");
      } else {
        bytes.write(c == '+' ? ' ' : c);
      }
    }
    byte[] raw = bytes.toByteArray();
    if (!ByteBufUtil.isText(Unpooled.wrappedBuffer(raw), StandardCharsets.UTF_8)) {
      throw bad("query is not UTF-8 in percent encoding");
    }
    return new String(raw, StandardCharsets.UTF_8);
  }

  private static int hex(String text, int at) throws BadInput {
    int digit = at < text.length() ? Character.digit(text.charAt(at), 16) : -1;
    if (digit < 0 || text.charAt(at) > 0x7f) {
      throw bad("query has a percent sign without two hex digits");
    }
    return digit;
  }

  private static BadInput bad(String detail) {
    return BadInput.invalid("query", detail);
  }
}
