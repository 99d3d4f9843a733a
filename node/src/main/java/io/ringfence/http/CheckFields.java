package io.ringfence.http;

import io.netty.buffer.ByteBufUtil;
import io.ringfence.rules.IpAddress;
import io.ringfence.rules.Request;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the fields that say who asks for what, each validated as it arrives, whether it came in a
 * JSON body or in a query.
 *
 * <p>Lengths are bytes of UTF-8. Keys and values are data: control characters are legal in them, as
 * they leave a node only escaped. Unpaired surrogates are not, as no UTF-8 stands for them: two
 * different keys would meet in one counter once they had crossed the wire.
 *
 * <p>For one request; not thread-safe.
 */
final class CheckFields {
  /** The most attributes that one request may carry. */
  static final int MAX_ATTRIBUTES = 32;

  /** The longest route, in bytes of UTF-8. */
  static final int MAX_ROUTE_BYTES = 2_048;

  private static final int MAX_NAME_CHARS = 64;
  private static final int MAX_METHOD_CHARS = 32;

  private final int keyBytes;
  private final Map<String, String> attributes = new HashMap<>(4);
  private @Nullable String key;
  private @Nullable String method;
  private @Nullable String path;
  private @Nullable String tier;

  CheckFields(int keyBytes) {
    this.keyBytes = keyBytes;
  }

  void key(String value) throws BadInput {
    key = client("key", value, keyBytes);
  }

  /**
   * The name of a client, as it came in that field.
   *
   * @param keyBytes its longest, in bytes of UTF-8
   */
  static String client(String field, String value, int keyBytes) throws BadInput {
    if (value.isEmpty()) {
      throw BadInput.invalid(field, field + " is empty; it must be " + range(keyBytes));
    }
    return bounded(field, value, keyBytes);
  }

  void tier(String value) throws BadInput {
    if (value.isEmpty()) {
      throw BadInput.invalid("tier", "tier is empty; leave it out, or give " + range(keyBytes));
    }
    tier = bounded("tier", value, keyBytes);
  }

  /** Reads {@code METHOD PATH} or {@code PATH}. */
  void route(String value) throws BadInput {
    requireCharacters("route", value);
    if (ByteBufUtil.utf8Bytes(value) > MAX_ROUTE_BYTES) {
      throw BadInput.invalid(
          "route", "route is longer than " + MAX_ROUTE_BYTES + " bytes of UTF-8");
    }
    int slash = value.indexOf('/');
    if (slash > 0) {
      method = methodOf(value, slash);
    }
    if (slash < 0 || hasControl(value)) {
      throw badRoute();
    }
    path = value.substring(slash);
  }

  private static String methodOf(String route, int slash) throws BadInput {
    int end = slash - 1;
    if (route.charAt(end) != ' ' || end == 0 || end > MAX_METHOD_CHARS) {
      throw badRoute();
    }
    for (int i = 0; i < end; i++) {
      char c = route.charAt(i);
      if ((c < 'A' || c > 'Z') && c != '-' && c != '_') {
        throw badRoute();
      }
    }
    return route.substring(0, end);
  }

  private static BadInput badRoute() {
    return BadInput.invalid(
        "route",
        "route must be METHOD PATH or PATH: a method in capital letters, one space, and a path that"
            + " starts with / and holds no control characters");
  }

  void attribute(String name, String value) throws BadInput {
    String field = "attributes." + name;
    if (ByteBufUtil.utf8Bytes(name) > keyBytes) {
      throw BadInput.tooLarge(
          "attributes", "attributes has a name longer than " + keyBytes + " bytes of UTF-8");
    }
    if (!isName(name)) {
      throw BadInput.invalid(
          "attributes",
          "attributes has a name that is not 1 to "
              + MAX_NAME_CHARS
              + " characters of A-Z a-z 0-9 _ . -");
    }
    if (value.isEmpty()) {
      throw BadInput.invalid(field, field + " is empty; leave it out, or give " + range(keyBytes));
    }
    String checked = bounded(field, value, keyBytes);
    if (attributes.putIfAbsent(name, name.equals("ip") ? canonicalIp(checked) : checked) != null) {
      throw BadInput.invalid(field, field + " appears twice");
    }
    if (attributes.size() > MAX_ATTRIBUTES) {
      throw BadInput.invalid(
          "attributes", "attributes has more than " + MAX_ATTRIBUTES + " entries");
    }
  }

  private static String canonicalIp(String value) throws BadInput {
    if (IpAddress.parse(value) == null) {
      throw BadInput.invalid(
          "attributes.ip", "attributes.ip must be an IPv4 or an IPv6 address without port or zone");
    }
    return IpAddress.canonical(value);
  }

  /** The request that the fields describe. */
  Request request() throws BadInput {
    if (key == null) {
      throw BadInput.invalid("key", "key is missing; it must be " + range(keyBytes));
    }
    return new Request(key, method, path, tier, attributes.isEmpty() ? Map.of() : attributes);
  }

  private static String bounded(String field, String value, int keyBytes) throws BadInput {
    requireCharacters(field, value);
    if (value.length() > keyBytes || ByteBufUtil.utf8Bytes(value) > keyBytes) {
      throw BadInput.tooLarge(field, field + " is longer than " + keyBytes + " bytes of UTF-8");
    }
    return value;
  }

  private static String range(int keyBytes) {
    return "a string of 1 to " + keyBytes + " bytes of UTF-8";
  }

  /** Refuses unpaired surrogates. */
  static void requireCharacters(String field, String value) throws BadInput {
    int codePoint;
    for (int i = 0; i < value.length(); i += Character.charCount(codePoint)) {
      codePoint = value.codePointAt(i);
      if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
        throw BadInput.invalid(
            field, field + " holds an unpaired surrogate, which is no character");
      }
    }
  }

  private static boolean hasControl(String value) {
    return value.chars().anyMatch(c -> c < 0x20 || c == 0x7f);
  }

  private static boolean isName(String name) {
    return !name.isEmpty()
        && name.length() <= MAX_NAME_CHARS
        && name.chars().allMatch(CheckFields::isNameCharacter);
  }

  private static boolean isNameCharacter(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '_'
        || c == '.'
        || c == '-';
  }
}
