package io.ringfence.http;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.ringfence.engine.Check;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of a check: one JSON object, and nothing that it does not know.
 *
 * <p>Whatever cannot mean exactly one thing is refused rather than guessed: unknown and repeated
 * fields, other types than the stated one, a cost with fraction or exponent, text that is not
 * UTF-8, anything after the object. The error names the field and what it must hold, and nothing of
 * the request is echoed but the name of an unknown field.
 *
 * <p>Stateless but for its settings, so thread-safe.
 */
final class CheckReader {
  /** The field that an error names which is about the body as a whole. */
  static final String BODY = "body";

  private static final String FIELDS = "key, route, cost, tier, request_id and attributes";
  private static final int MAX_ECHO_CHARS = 64;

  private final int keyBytes;

  CheckReader(int keyBytes) {
    this.keyBytes = keyBytes;
  }

  /** Reads; the buffer stays the caller's. */
  Check read(ByteBuf body) throws BadInput {
    try (JsonParser json = parser(body)) {
      return whole(json);
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory failed", e);
    }
  }

  /** A parser of the text that a body is; the buffer stays the caller's. */
  static JsonParser parser(ByteBuf body) throws IOException, BadInput {
    if (!ByteBufUtil.isText(body, StandardCharsets.UTF_8)) {
      throw BadInput.invalid(BODY, "body is not valid UTF-8");
    }
    return Json.parser(body.toString(StandardCharsets.UTF_8));
  }

  /** Refuses whatever follows the one object that a body is. */
  static void requireEnd(JsonParser json) throws IOException, BadInput {
    if (json.nextToken() != null) {
      throw BadInput.invalid(BODY, "body goes on after its JSON object");
    }
  }

  private Check whole(JsonParser json) throws IOException, BadInput {
    Reading reading = new Reading(BODY);
    try {
      json.nextToken();
      Check check = reading.check(json);
      requireEnd(json);
      return check;
    } catch (JsonProcessingException e) {
      throw reading.malformed(json, e);
    }
  }

  /**
   * A check that is part of something larger, and is read where that comes to it.
   *
   * @param name what an error calls it that is about the check as a whole
   */
  Reading part(String name) {
    return new Reading(name);
  }

  /** One check on its way. */
  final class Reading {
    private final CheckFields fields = new CheckFields(keyBytes);
    private long cost = 1;
    private @Nullable String requestId;
    private final String root;
    // The field whose value is being read; the root between fields.
    private String current;
    // A bit for each known field that has been seen.
    private int seen;

    private Reading(String root) {
      this.root = root;
      this.current = root;
    }

    /**
     * Reads the value that the parser stands at, and leaves the parser at its end. After a {@link
     * BadInput} the parser stands somewhere inside of the value.
     *
     * @throws JsonProcessingException where it is no JSON
     */
    Check check(JsonParser json) throws IOException, BadInput {
      if (json.currentToken() != JsonToken.START_OBJECT) {
        throw BadInput.invalid(root, root + " must be a JSON object with the fields " + FIELDS);
      }
      for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
        current = echo(name);
        json.nextToken();
        field(json, name);
        current = root;
      }
      return new Check(fields.request(), cost, requestId);
    }

    private void field(JsonParser json, String name) throws IOException, BadInput {
      switch (name) {
        case "key" -> {
          once(1);
          fields.key(string(json));
        }
        case "route" -> {
          once(2);
          fields.route(string(json));
        }
        case "cost" -> {
          once(4);
          cost = cost(json);
        }
        case "tier" -> {
          once(8);
          fields.tier(string(json));
        }
        case "request_id" -> {
          once(16);
          requestId = requestId(string(json));
        }
        case "attributes" -> {
          once(32);
          attributes(json);
        }
        default -> throw unknown(name);
      }
    }

    private void once(int bit) throws BadInput {
      if ((seen & bit) != 0) {
        throw BadInput.invalid(current, current + " appears twice");
      }
      seen |= bit;
    }

    private String string(JsonParser json) throws IOException, BadInput {
      if (json.currentToken() != JsonToken.VALUE_STRING) {
        throw BadInput.invalid(current, current + " must be a string");
      }
      return json.getText();
    }

    private long cost(JsonParser json) throws IOException, BadInput {
      if (json.currentToken() != JsonToken.VALUE_NUMBER_INT) {
        throw badCost();
      }
      if (json.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
        throw badCost();
      }
      long value = json.getLongValue();
      if (value < 1 || value > Check.MAX_COST) {
        throw badCost();
      }
      return value;
    }

    private static String requestId(String value) throws BadInput {
      CheckFields.requireCharacters("request_id", value);
      if (value.isEmpty() || value.length() > Check.MAX_REQUEST_ID_CHARS) {
        throw BadInput.invalid(
            "request_id",
            "request_id must be a string of 1 to " + Check.MAX_REQUEST_ID_CHARS + " characters");
      }
      return value;
    }

    private void attributes(JsonParser json) throws IOException, BadInput {
      if (json.currentToken() != JsonToken.START_OBJECT) {
        throw BadInput.invalid("attributes", "attributes must be an object of strings");
      }
      for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
        current = "attributes." + echo(name);
        json.nextToken();
        fields.attribute(name, string(json));
        current = "attributes";
      }
    }

    private static BadInput badCost() {
      return BadInput.invalid(
          "cost",
          "cost must be an integer from 1 to " + Check.MAX_COST + " without fraction or exponent");
    }

    private static BadInput unknown(String name) {
      String echoed = echo(name);
      return BadInput.invalid(echoed, echoed + " is not a field of a check; they are " + FIELDS);
    }

    private BadInput malformed(JsonParser json, JsonProcessingException e) throws IOException {
      String field = fieldAt(json);
      return field.equals("cost") ? badCost() : notJson(field, e);
    }

    /**
     * The field that the parser gave up at. It looks at a value before it hands out the name, so it
     * is asked for that.
     */
    String fieldAt(JsonParser json) throws IOException {
      if (json.currentToken() != JsonToken.FIELD_NAME) {
        return current;
      }
      String name = echo(json.currentName());
      return current.equals(root) ? name : current + "." + name;
    }
  }

  static BadInput notJson(String field, JsonProcessingException e) {
    JsonLocation at = e.getLocation();
    String where = at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
    return BadInput.invalid(field, field + " is not valid JSON" + where);
  }

  /** Enough of a caller's own name to recognise it, without what is no character. */
  static String echo(String name) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < Math.min(name.length(), MAX_ECHO_CHARS); i++) {
      char c = name.charAt(i);
      text.append(Character.isSurrogate(c) ? '?' : c);
    }
    return text.append(name.length() > MAX_ECHO_CHARS ? "..." : "").toString();
  }
}
