package io.ringfence.chaos.wire;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP response.
 *
 * @param headers by lower-case name; of a repeated header the values joined by a comma
 * @param body decoded as UTF-8
 */
public record Answer(int status, Map<String, String> headers, String body) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Headers are copied. */
  public Answer {
    headers = Map.copyOf(headers);
  }

  /** The value of a header, or null; the name in lower case. */
  public @Nullable String header(String name) {
    return headers.get(name);
  }

  /**
   * The body as JSON.
   *
   * @throws IllegalStateException where it is not
   */
  public JsonNode json() {
    try {
      return JSON.readTree(body);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("not JSON, with status " + status + ": " + body, e);
    }
  }
}
