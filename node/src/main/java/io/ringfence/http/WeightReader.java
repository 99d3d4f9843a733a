package io.ringfence.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.netty.buffer.ByteBuf;
import io.ringfence.membership.Member;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Reads the body that gives a member another weight: one JSON object with that, and no more. */
final class WeightReader {
  private static final String WEIGHT = "weight";

  private WeightReader() {}

  /** Reads; the buffer stays the caller's. */
  static int read(ByteBuf body) throws BadInput {
    try (JsonParser json = CheckReader.parser(body)) {
      return whole(json);
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory failed", e);
    }
  }

  private static int whole(JsonParser json) throws IOException, BadInput {
    String at = CheckReader.BODY;
    try {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw BadInput.invalid(at, "body must be a JSON object with the field " + WEIGHT);
      }
      int weight = 0;
      for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
        at = CheckReader.echo(name);
        if (!name.equals(WEIGHT)) {
          throw BadInput.invalid(at, at + " is not a field here; the only one is " + WEIGHT);
        }
        if (weight != 0) {
          throw BadInput.invalid(WEIGHT, "weight appears twice");
        }
        json.nextToken();
        weight = weight(json);
        at = CheckReader.BODY;
      }
      CheckReader.requireEnd(json);
      if (weight == 0) {
        throw outOfRange();
      }
      return weight;
    } catch (JsonProcessingException e) {
      throw CheckReader.notJson(at, e);
    }
  }

  private static int weight(JsonParser json) throws IOException, BadInput {
    boolean isInt =
        json.currentToken() == JsonToken.VALUE_NUMBER_INT
            && json.getNumberType() == JsonParser.NumberType.INT;
    int value = isInt ? json.getIntValue() : 0;
    if (value < 1 || value > Member.MAX_WEIGHT) {
      throw outOfRange();
    }
    return value;
  }

  private static BadInput outOfRange() {
    return BadInput.invalid(WEIGHT, "weight must be an integer from 1 to " + Member.MAX_WEIGHT);
  }
}
