package io.ringfence.cli;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * What came back over HTTP, whoever sent it: an address may belong to something that is no node.
 * Immutable: the body is not handed out.
 */
final class Answer {
  private static final int MAX_DETAIL_CHARS = 500;

  private final URI from;
  private final int status;
  private final String contentType; // empty where there was none
  private final byte[] body; // bounded by the client

  /**
   * @param from who was asked, as messages name it
   * @param body from now on this object's
   */
  Answer(URI from, int status, String contentType, byte[] body) {
    this.from = from;
    this.status = status;
    this.contentType = contentType;
    this.body = body;
  }

  /** Makes sense of a JSON object. */
  interface Reading<T> {
    T of(JsonObject object) throws UnexpectedJson;
  }

  int status() {
    return status;
  }

  /** Whether the body claims to be JSON of some kind. */
  boolean isJson() {
    return contentType.toLowerCase(Locale.ROOT).contains("json");
  }

  String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  /**
   * Reads the body.
   *
   * @throws CommandFailure where it is not what a node answers
   */
  <T> T read(Reading<T> reading) throws CommandFailure {
    if (!isJson()) {
      throw foreign();
    }
    try {
      return reading.of(object());
    } catch (UnexpectedJson e) {
      throw new CommandFailure(
          from + " answered " + status + ", but not as a Ringfence node: " + e.getMessage());
    }
  }

  /** The body as it claims to be, whatever its content type. */
  JsonObject object() throws UnexpectedJson {
    return JsonObject.parse(body);
  }

  /** Why there is no result: the node's own words where it refused, else that it is no node. */
  CommandFailure refusal() {
    if (status < 400 || !isJson()) {
      return foreign();
    }
    try {
      JsonObject problem = object();
      String detail = problem.text("detail");
      String title = problem.text("title");
      String said = detail == null ? title : detail;
      if (said == null) {
        return foreign();
      }
      String field = problem.text("field");
      String place = field == null ? "" : "field " + field + ": ";
      return new CommandFailure(from + " answered " + status + ": " + place + cut(said));
    } catch (UnexpectedJson e) {
      return foreign();
    }
  }

  private CommandFailure foreign() {
    String type = contentType.isEmpty() ? "no content type" : cut(contentType);
    return new CommandFailure(
        from + " answered " + status + " (" + type + "), not as a Ringfence node; is --url right?");
  }

  private static String cut(String text) {
    return text.length() <= MAX_DETAIL_CHARS ? text : text.substring(0, MAX_DETAIL_CHARS) + "...";
  }
}
