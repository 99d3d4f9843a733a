package io.ringfence.http;

import io.netty.util.AsciiString;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * The value of {@code Date} (RFC 9110, 5.6.7), rendered once a second.
 *
 * <p>Thread-safe: threads that meet at the turn of a second render the same text twice.
 */
final class DateHeader {
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
          .withZone(ZoneOffset.UTC);

  private volatile Rendered last = render(0);

  AsciiString at(long wallNanos) {
    long second = Math.floorDiv(wallNanos, TimeUnit.SECONDS.toNanos(1));
    Rendered current = last;
    if (current.epochSecond != second) {
      current = render(second);
      last = current;
    }
    return current.text;
  }

  private static Rendered render(long epochSecond) {
    return new Rendered(
        epochSecond, AsciiString.cached(FORMAT.format(Instant.ofEpochSecond(epochSecond))));
  }

  private record Rendered(long epochSecond, AsciiString text) {}
}
