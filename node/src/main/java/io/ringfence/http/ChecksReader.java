package io.ringfence.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import io.netty.buffer.ByteBuf;
import io.ringfence.engine.Check;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of a bulk call: an object whose only field is a list of checks.
 *
 * <p>An item that is JSON and no check is wrong by itself: what is left of it is skipped, and the
 * others are read as if it were not there. Text that is no JSON has no items to tell apart, so it
 * is refused as a whole, as are a wrong envelope and a list that is too long. The whole body is
 * read before anything is asked, so a refusal charges nothing.
 *
 * <p>Stateless but for its settings, so thread-safe.
 */
final class ChecksReader {
  private static final String CHECKS = "checks";

  private final CheckReader reader;
  private final int batch;

  /**
   * @param batch the most items of one call
   */
  ChecksReader(CheckReader reader, int batch) {
    this.reader = reader;
    this.batch = batch;
  }

  /** One of the two: a check, or why there is none. */
  record Item(@Nullable Check check, @Nullable BadInput error) {}

  /** Reads; the buffer stays the caller's. */
  List<Item> read(ByteBuf body) throws BadInput {
    try (JsonParser json = CheckReader.parser(body)) {
      return envelope(json);
    } catch (JsonProcessingException e) {
      throw CheckReader.notJson(CheckReader.BODY, e);
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory failed", e);
    }
  }

  private List<Item> envelope(JsonParser json) throws IOException, BadInput {
    if (json.nextToken() != JsonToken.START_OBJECT) {
      throw BadInput.invalid(CheckReader.BODY, "body must be a JSON object with the field checks");
    }
    List<Item> items = null;
    for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
      if (!name.equals(CHECKS)) {
        String echoed = CheckReader.echo(name);
        throw BadInput.invalid(echoed, echoed + " is not a field of a bulk call; it has checks");
      }
      if (items != null) {
        throw BadInput.invalid(CHECKS, "checks appears twice");
      }
      if (json.nextToken() != JsonToken.START_ARRAY) {
        throw BadInput.invalid(CHECKS, "checks must be " + range());
      }
      items = list(json);
    }
    if (items == null) {
      throw BadInput.invalid(CHECKS, "checks is missing; it must be " + range());
    }
    CheckReader.requireEnd(json);
    return items;
  }

  private List<Item> list(JsonParser json) throws IOException, BadInput {
    List<Item> items = new ArrayList<>();
    JsonStreamContext list = json.getParsingContext();
    while (next(json, items.size()) != JsonToken.END_ARRAY) {
      if (items.size() == batch) {
        throw BadInput.tooMany(
            HttpBound.BATCH, CHECKS, "checks has more items; it must be " + range());
      }
      items.add(item(json, list, items.size()));
    }
    return items;
  }

  private static JsonToken next(JsonParser json, int index) throws IOException, BadInput {
    try {
      return json.nextToken();
    } catch (JsonProcessingException e) {
      throw CheckReader.notJson(place(index), e);
    }
  }

  private Item item(JsonParser json, JsonStreamContext list, int index)
      throws IOException, BadInput {
    String place = place(index);
    CheckReader.Reading reading = reader.part(place);
    try {
      return new Item(reading.check(json), null);
    } catch (BadInput e) {
      skip(json, list, index);
      return new Item(null, e);
    } catch (JsonProcessingException e) {
      String field = reading.fieldAt(json);
      throw CheckReader.notJson(field.equals(place) ? place : place + "." + field, e);
    }
  }

  /** Goes on to the end of the item, however deep in it the parser stands. */
  private static void skip(JsonParser json, JsonStreamContext list, int index)
      throws IOException, BadInput {
    while (json.getParsingContext() != list) {
      next(json, index);
    }
  }

  private static String place(int index) {
    return CHECKS + "[" + index + "]";
  }

  private String range() {
    return "a list of 0 to " + batch + " checks";
  }
}
