package io.ringfence.http;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Decodes a part of a request target (RFC 3986, 2.1) strictly: every % is followed by two hex
 * digits, and the bytes are UTF-8. What cannot be read is refused, not replaced: a replaced byte
 * would be another key.
 */
final class PercentEncoding {
  private PercentEncoding() {}

  /**
   * The text that a part stands for.
   *
   * @param field what an error calls the part
   */
  static String decode(String field, String text) throws BadInput {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c == '%') {
        bytes.write(hex(field, text, at++) << 4 | hex(field, text, at++));
      } else if (c > 0xff) {
        throw bad(field, "is not ASCII; encode other characters as UTF-8 with percent signs");
      } else {
        bytes.write(c);
      }
    }
    byte[] raw = bytes.toByteArray();
    if (!ByteBufUtil.isText(Unpooled.wrappedBuffer(raw), StandardCharsets.UTF_8)) {
      throw bad(field, "is not UTF-8 in percent encoding");
    }
    return new String(raw, StandardCharsets.UTF_8);
  }

  private static int hex(String field, String text, int at) throws BadInput {
    int digit = at < text.length() ? Character.digit(text.charAt(at), 16) : -1;
    if (digit < 0 || text.charAt(at) > 0x7f) {
      throw bad(field, "has a percent sign without two hex digits");
    }
    return digit;
  }

  private static BadInput bad(String field, String what) {
    return BadInput.invalid(field, field + " " + what);
  }
}
