package io.ringfence.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A check as the command line states it. What the values may be is the node's to say; here it is
 * only made sure that they arrive as they were typed.
 *
 * @param key the client
 * @param route {@code METHOD PATH} or PATH, or null
 * @param tier or null
 * @param attributes each {@code name=value}
 * @param cost or null for the node's default
 */
record CheckQuery(
    String key,
    @Nullable String route,
    @Nullable String tier,
    List<String> attributes,
    @Nullable Long cost) {
  private static final JsonFactory JSON = new JsonFactory();
  private static final char REPLACEMENT = '\ufffd';

  /**
   * The body of the request.
   *
   * @throws CommandFailure where an argument is not {@code name=value}, or lost characters on its
   *     way into this process
   */
  byte[] json() throws CommandFailure {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(body)) {
      json.writeStartObject();
      text(json, "key", "--key", key);
      if (route != null) {
        text(json, "route", "--route", route);
      }
      if (tier != null) {
        text(json, "tier", "--tier", tier);
      }
      if (cost != null) {
        json.writeNumberField("cost", cost);
      }
      if (!attributes.isEmpty()) {
        json.writeObjectFieldStart("attributes");
        for (String attribute : attributes) {
          attribute(json, attribute);
        }
        json.writeEndObject();
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("writing into memory", e);
    }
    return body.toByteArray();
  }

  private static void attribute(JsonGenerator json, String attribute)
      throws IOException, CommandFailure {
    int equals = attribute.indexOf('=');
    if (equals < 1) {
      throw new CommandFailure("--attr must be NAME=VALUE, not '" + attribute + "'");
    }
    String name = attribute.substring(0, equals);
    requireWhole("--attr", name);
    text(json, name, "--attr " + name, attribute.substring(equals + 1));
  }

  private static void text(JsonGenerator json, String field, String flag, String value)
      throws IOException, CommandFailure {
    requireWhole(flag, value);
    json.writeStringField(field, value);
  }

  /** Java puts U+FFFD in the place of bytes that it cannot decode: another key than was meant. */
  private static void requireWhole(String flag, String value) throws CommandFailure {
    boolean lone = value.codePoints().anyMatch(c -> Character.getType(c) == Character.SURROGATE);
    if (lone || value.indexOf(REPLACEMENT) >= 0) {
      throw new CommandFailure(
          flag
              + " lost characters on its way here, as arguments are read as "
              + System.getProperty("sun.jnu.encoding")
              + "; set LC_ALL=C.UTF-8, or the encoding that your terminal uses");
    }
  }
}
