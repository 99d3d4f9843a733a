package io.ringfence.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.ringfence.engine.Verdict;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;

/**
 * The JSON of a bulk call: of each check what it would have been answered alone, body for body, and
 * of each wrong item its problem, in the order in which they were asked.
 */
final class BulkJson {
  private BulkJson() {}

  /**
   * @param items what was asked
   * @param verdicts one for each item that is a check, in their order
   */
  static void write(JsonGenerator json, List<ChecksReader.Item> items, List<Verdict> verdicts)
      throws IOException {
    Iterator<Verdict> next = verdicts.iterator();
    json.writeStartObject();
    json.writeArrayFieldStart("results");
    for (ChecksReader.Item item : items) {
      BadInput error = item.error();
      if (error == null) {
        Outcome outcome = new Outcome(next.next());
        VerdictJson.write(json, outcome, Refusal.ofCheck(outcome));
      } else {
        json.writeStartObject();
        json.writeFieldName("error");
        ProblemJson.write(json, error);
        json.writeEndObject();
      }
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
