package io.ringfence.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.ringfence.engine.LimitVerdict.Answer;
import io.ringfence.engine.Usage;
import java.io.IOException;
import java.util.List;

/** The JSON of what one client has used. */
final class UsageJson {
  private UsageJson() {}

  static void write(JsonGenerator json, String client, Usage usage) throws IOException {
    json.writeStartObject();
    json.writeStringField("client", client);
    json.writeStringField("owner", usage.owner());
    json.writeStringField("certainty", usage.certainty().text());
    json.writeBooleanField("truncated", usage.truncated());
    json.writeArrayFieldStart("limits");
    for (Usage.Entry entry : usage.entries()) {
      entry(json, entry);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void entry(JsonGenerator json, Usage.Entry entry) throws IOException {
    Answer answer = entry.answer();
    json.writeStartObject();
    VerdictJson.identity(json, entry.rule(), entry.limit());
    json.writeObjectFieldStart("by");
    List<String> by = entry.rule().by();
    for (int i = 0; i < by.size(); i++) {
      json.writeStringField(by.get(i), entry.values().get(i));
    }
    json.writeEndObject();
    json.writeNumberField("used", Math.max(0, answer.limit() - answer.remaining()));
    json.writeBooleanField("allowed", answer.allowed());
    VerdictJson.numbers(json, answer, Outcome.waitNanos(answer));
    VerdictJson.shadow(json, entry.rule());
    json.writeEndObject();
  }
}
