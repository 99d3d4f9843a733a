package io.ringfence.http;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/** The JSON of a problem without a type of its own: the status says it all, the detail says why. */
final class ProblemJson {
  private ProblemJson() {}

  static void write(JsonGenerator json, BadInput problem) throws IOException {
    json.writeStartObject();
    json.writeStringField("type", "about:blank");
    json.writeStringField("title", problem.status().reasonPhrase());
    json.writeNumberField("status", problem.status().code());
    json.writeStringField("detail", problem.detail());
    String field = problem.field();
    if (field != null) {
      json.writeStringField("field", field);
    }
    json.writeEndObject();
  }
}
