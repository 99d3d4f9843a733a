package io.ringfence.chaos.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** An HTTP/1.1 request, encoded once and sent as often as needed. Immutable. */
public final class Call {
  private final byte[] bytes;

  private Call(byte[] bytes) {
    this.bytes = bytes;
  }

  /** A GET of that path and query. */
  public static Call get(String target) {
    return new Call(head("GET", target, "").getBytes(StandardCharsets.ISO_8859_1));
  }

  /** A POST of that text, in UTF-8. */
  public static Call post(String target, String body) {
    return post(target, body.getBytes(StandardCharsets.UTF_8));
  }

  /** A POST of those bytes, which need not be JSON, nor even text. */
  public static Call post(String target, byte[] body) {
    String headers = "Content-Type: application/json\r\nContent-Length: " + body.length + "\r\n";
    byte[] head = head("POST", target, headers).getBytes(StandardCharsets.ISO_8859_1);
    byte[] whole = Arrays.copyOf(head, head.length + body.length);
    System.arraycopy(body, 0, whole, head.length, body.length);
    return new Call(whole);
  }

  private static String head(String method, String target, String headers) {
    return method + " " + target + " HTTP/1.1\r\nHost: ringfence\r\n" + headers + "\r\n";
  }

  byte[] bytes() {
    return bytes;
  }
}
