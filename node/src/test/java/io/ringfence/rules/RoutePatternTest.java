package io.ringfence.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoutePatternTest {

  @ParameterizedTest
  @CsvSource({
    "/a/b, GET, /a/b, true",
    "/a/b, , /a/b, true",
    "/a/b, GET, /a/b/c, false",
    "/a/b, GET, /a, false",
    "/a/b, GET, /a/bc, false",
    "GET /a, GET, /a, true",
    "GET /a, POST, /a, false",
    "GET /a, , /a, false",
    "GET|POST /a, POST, /a, true",
    "/a/*, GET, /a/b, true",
    "/a/*, GET, /a, false",
    "/a/*, GET, /a/b/c, false",
    "/a/*/c, GET, /a/b/c, true",
    "/a/{id}/c, GET, /a/b/c, true",
    "/a/{id}/c, GET, /a/b/d, false",
    "/a/**, GET, /a, true",
    "/a/**, GET, /a/b, true",
    "/a/**, GET, /a/b/c/d, true",
    "/a/**, GET, /ab, false",
    "/**, GET, /, true",
    "/**, GET, /x/y, true",
    "/*, GET, /, false",
    "/*, GET, /x, true",
    "/, GET, /, true",
    "/, GET, /x, false",
    "/*/**, GET, /, false",
    "/*/**, GET, /x/y/z, true",
    "/A, GET, /a, false",
    "//a//b/, GET, /a/b, true",
    "/a b, GET, /a b, true",
    "GET /a b, GET, /a b, true",
  })
  void aPatternHoldsForItsPaths(
      String pattern, @Nullable String method, String path, boolean holds) {
    assertEquals(holds, RoutePattern.parse(pattern).matches(method, path));
  }

  @ParameterizedTest
  @CsvSource({
    "/a/{id}/, /a/*",
    "GET|POST  /a, ",
    "POST /v1/**, POST /v1/**",
    "/**, /**",
    "/, /",
  })
  void thereIsOneSpellingForEachPattern(String written, @Nullable String text) {
    if (text == null) {
      assertThrows(IllegalArgumentException.class, () -> RoutePattern.parse(written));
    } else {
      assertEquals(text, RoutePattern.parse(written).text());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a | begins with /",
        "'' | begins with /",
        "GET | begins with /",
        "GET a | begins with /",
        "get /a | upper-case",
        "GET,POST /a | upper-case",
        "* /a | upper-case",
        "G1 /a | upper-case",
        "/a/**/b | before its last",
        "/a* | whole *",
        "/{id}.json | whole *",
        "/a?x=1 | without ?",
        "/%61 | decoded",
        "/a/../b | ..",
        "/a;b | without ?",
      })
  void whatIsNoPatternIsRefused(String text, String why) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> RoutePattern.parse(text));

    assertTrue(String.valueOf(refused.getMessage()).contains(why), () -> refused.toString());
  }

  @Property(tries = 1_000)
  void patternsOverlapExactlyWhereOnePathFitsBoth(
      @ForAll("patterns") String a, @ForAll("patterns") String b) {
    RoutePattern first = RoutePattern.parse(a);
    RoutePattern second = RoutePattern.parse(b);
    boolean meet =
        paths().stream()
            .anyMatch(
                path ->
                    Stream.of("GET", "PUT")
                        .anyMatch(m -> first.matches(m, path) && second.matches(m, path)));

    assertEquals(meet, first.overlaps(second), () -> a + " and " + b);
    assertEquals(meet, second.overlaps(first), () -> b + " and " + a);
  }

  @Provide
  Arbitrary<String> patterns() {
    Arbitrary<String> method = Arbitraries.of("", "GET ", "PUT ", "GET|PUT ");
    Arbitrary<String> path =
        Arbitraries.of("a", "b", "*", "{id}")
            .list()
            .ofMaxSize(3)
            .map(s -> "/" + String.join("/", s));
    Arbitrary<String> rest = Arbitraries.of("", "/**");
    return Combinators.combine(method, path, rest).as((m, p, r) -> m + p + r);
  }

  /** Every path of up to four segments out of two literals and one that no pattern names. */
  private static List<String> paths() {
    List<String> all = new ArrayList<>(List.of("/"));
    List<String> longest = List.of("");
    for (int depth = 0; depth < 4; depth++) {
      List<String> longer = new ArrayList<>();
      for (String path : longest) {
        for (String segment : List.of("a", "b", "z")) {
          longer.add(path + "/" + segment);
        }
      }
      all.addAll(longer);
      longest = longer;
    }
    return all;
  }
}
