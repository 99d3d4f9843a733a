package io.ringfence.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object of a node's answer. Members that nobody asks for are ignored, as nodes of later
 * releases may send more; those that are asked for must have the type that they should.
 *
 * <p>The size of the document is bounded by whoever received it, its depth by {@value #MAX_DEPTH}.
 * For one thread.
 */
final class JsonObject {
  private static final int MAX_DEPTH = 16;
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private final String path; // "" at the top, else ends with a dot
  private final Map<String, @Nullable Object> members;

  private JsonObject(String path, Map<String, @Nullable Object> members) {
    this.path = path;
    this.members = members;
  }

  /** Reads a document that is one object. */
  static JsonObject parse(byte[] utf8) throws UnexpectedJson {
    try (JsonParser parser = JSON.createParser(utf8)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new UnexpectedJson("it is not a JSON object");
      }
      JsonObject object = new JsonObject("", object(parser, 1));
      if (parser.nextToken() != null) {
        throw new UnexpectedJson("something follows the JSON object");
      }
      return object;
    } catch (JsonProcessingException e) {
      throw new UnexpectedJson("it is not valid JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw new UnexpectedJson("it is not valid JSON: " + e.getMessage());
    }
  }

  private static Map<String, @Nullable Object> object(JsonParser parser, int depth)
      throws IOException, UnexpectedJson {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      members.put(name, value(parser, depth));
    }
    return members;
  }

  private static @Nullable Object value(JsonParser parser, int depth)
      throws IOException, UnexpectedJson {
    if (depth > MAX_DEPTH) {
      throw new UnexpectedJson("it is nested deeper than " + MAX_DEPTH + " levels");
    }
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser, depth + 1);
      case START_ARRAY -> {
        List<@Nullable Object> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          items.add(value(parser, depth + 1));
        }
        yield items;
      }
      case VALUE_NULL -> null;
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getNumberValue();
      default -> parser.getText();
    };
  }

  boolean has(String name) {
    return members.containsKey(name);
  }

  boolean truth(String name) throws UnexpectedJson {
    if (members.get(name) instanceof Boolean truth) {
      return truth;
    }
    throw wrong(name, "true or false");
  }

  /** A whole number, or null where the member is null or missing. */
  @Nullable Long whole(String name) throws UnexpectedJson {
    Object value = members.get(name);
    if (value == null) {
      return null;
    }
    if (value instanceof Integer || value instanceof Long) {
      return ((Number) value).longValue();
    }
    throw wrong(name, "a whole number");
  }

  /** A whole number that must be there, and not be negative. */
  long count(String name) throws UnexpectedJson {
    Long value = whole(name);
    if (value == null || value < 0) {
      throw wrong(name, "a whole number from 0");
    }
    return value;
  }

  /** Text, or null where the member is null or missing. */
  @Nullable String text(String name) throws UnexpectedJson {
    Object value = members.get(name);
    if (value == null || value instanceof String) {
      return (String) value;
    }
    throw wrong(name, "text");
  }

  /** Text that must be there. */
  String word(String name) throws UnexpectedJson {
    String text = text(name);
    if (text == null) {
      throw wrong(name, "text");
    }
    return text;
  }

  /** A list of text; empty where the member is missing. */
  List<String> words(String name) throws UnexpectedJson {
    List<String> words = new ArrayList<>();
    for (Object item : items(name)) {
      if (!(item instanceof String word)) {
        throw wrong(name, "a list of text");
      }
      words.add(word);
    }
    return words;
  }

  /** An object, or null where the member is null or missing. */
  @Nullable JsonObject object(String name) throws UnexpectedJson {
    Object value = members.get(name);
    if (value == null) {
      return null;
    }
    if (value instanceof Map<?, ?> map) {
      return new JsonObject(path + name + ".", named(map));
    }
    throw wrong(name, "an object");
  }

  /** A list of objects; empty where the member is missing. */
  List<JsonObject> objects(String name) throws UnexpectedJson {
    List<JsonObject> objects = new ArrayList<>();
    for (Object item : items(name)) {
      if (!(item instanceof Map<?, ?> map)) {
        throw wrong(name, "a list of objects");
      }
      objects.add(new JsonObject(path + name + "[" + objects.size() + "].", named(map)));
    }
    return objects;
  }

  private List<?> items(String name) throws UnexpectedJson {
    Object value = members.get(name);
    if (value == null) {
      return List.of();
    }
    if (value instanceof List<?> items) {
      return items;
    }
    throw wrong(name, "a list");
  }

  private static Map<String, @Nullable Object> named(Map<?, ?> map) {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    map.forEach((name, value) -> members.put((String) name, value));
    return members;
  }

  private UnexpectedJson wrong(String name, String expected) {
    return new UnexpectedJson(path + name + " is not " + expected);
  }
}
