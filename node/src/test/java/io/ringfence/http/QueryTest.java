package io.ringfence.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A query is decoded to the byte, or refused. */
class QueryTest {

  private static List<String> read(String query) throws BadInput {
    List<String> found = new ArrayList<>();
    Query.read(query, (name, value) -> found.add(name + " is " + value));
    return found;
  }

  @Test
  void parametersComeInOrderAndDecoded() throws BadInput {
    assertEquals(
        List.of("key is a b/=&?%", "x is ", "y is ", "z is 1=2"),
        read("key=a+b%2F%3d%26?%25&x=&y&&z=1=2&"));
    assertEquals(List.of(), read(""));
    assertEquals(List.of("key is \u00e9\ud83d\ude00"), read("key=%C3%A9%F0%9f%98%80"));
    // Bytes beyond ASCII that were not percent-encoded come as one character each.
    assertEquals(List.of("key is \u00e9"), read("key=\u00c3\u00a9"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "key=%",
        "key=%4",
        "key=%zz",
        "key=%+1",
        "key=%\u0663\u0663",
        "key=%ff",
        "key=%c0%80",
        "key=%ed%a0%80",
        "key=\u00ff",
        "key=\u0141"
      })
  void whatCannotBeDecodedIsRefused(String query) {
    BadInput refused = assertThrows(BadInput.class, () -> read(query));
    assertEquals("query", refused.field());
  }

  @Test
  void parametersAreBounded() {
    assertThrows(BadInput.class, () -> read("a=1&".repeat(65)));
  }
}
