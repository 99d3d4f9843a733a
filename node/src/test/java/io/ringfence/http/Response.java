package io.ringfence.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A response as it came over the wire; header lines in their order. */
record Response(int status, List<String> headers, String body) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** All values of a header, one per line. */
  List<String> all(String name) {
    String prefix = name.toLowerCase(Locale.ROOT) + ":";
    return headers.stream()
        .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(prefix))
        .map(line -> line.substring(prefix.length()).trim())
        .toList();
  }

  /** The only value of a header, or null where it is missing; fails where it is repeated. */
  @Nullable String header(String name) {
    List<String> values = all(name);
    if (values.size() > 1) {
      throw new AssertionError(name + " appears " + values.size() + " times: " + values);
    }
    return values.isEmpty() ? null : values.get(0);
  }

  JsonNode json() {
    try {
      return MAPPER.readTree(body);
    } catch (IOException e) {
      throw new UncheckedIOException("not JSON: " + body, e);
    }
  }
}
