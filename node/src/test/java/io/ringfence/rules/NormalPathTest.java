package io.ringfence.rules;

import static io.ringfence.rules.Given.asked;
import static io.ringfence.rules.Given.request;
import static io.ringfence.rules.Given.rule;
import static io.ringfence.rules.Given.set;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NormalPathTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/login",
        "/login/",
        "//login",
        "/login?x=1",
        "/a/../login",
        "/%6Cogin",
        "/%6cogin",
        "/./login",
        "/login/.",
        "/../login",
        "///login//",
        "/login#top",
        "/login?/../x",
        "/login/?a",
        "/%2E/login",
        "/a/%2e%2E/login",
        "/a/b/../../login",
        "/login;jsessionid=1",
        "/;x/login",
        "/a/..;/login",
        "/%2Flogin",
        "login",
        "/a%2F..%2Flogin",
        "/login/x/..",
      })
  void C16_everySpellingOfAPathMeetsItsLimit(String spelling) {
    RuleSet rules = set(rule("login").route("/login"));

    assertEquals(List.of("login"), asked(rules, request("c", "route", spelling)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/loginx",
        "/Login",
        "/login/x",
        "/log/in",
        "/login.json",
        "/",
        "/%256Cogin",
        "/login%20",
        "/login%3Bx",
        "/..login",
        "/login..",
        "/.login",
      })
  void C16_anotherPathDoesNot(String path) {
    RuleSet rules = set(rule("login").route("/login"));

    assertEquals(List.of(), asked(rules, request("c", "route", path)));
  }

  @ParameterizedTest
  @CsvSource({
    "/a/b, /a/b, false",
    "/, /, false",
    "'', /, false",
    "?x, /, false",
    "/.., /, false",
    "/../../.., /, false",
    "/a/./b/../c/, /a/c, false",
    "/.well-known/x, /.well-known/x, false",
    "/a..b/c, /a..b/c, false",
    "/a%20b, /a b, false",
    "/caf%C3%A9, /café, false",
    "/%E2%82%AC, /€, false",
    "/a%2Fb, /a/b, true",
    "/a%5Cb, /a\\b, true",
    "/a\\b, /a\\b, true",
    "/a;b=c/d, /a/d, true",
    "/a%3Bb, /a;b, false",
    "/a%zz, /a%zz, true",
    "/a%, /a%, true",
    "/a%4, /a%4, true",
    "/a%C3, /a\uFFFD, true",
    "/a%C0%AF, /a\uFFFD\uFFFD, true",
    "/a%4?, /a%4, true",
  })
  void thePathIsBroughtIntoOneForm(String raw, String normal, boolean ambiguous) {
    NormalPath path = NormalPath.of(raw);

    assertEquals(normal, path.text());
    assertEquals(ambiguous, path.ambiguous());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/v1/x%2F..%2F..%2Fhealth/live", "/health/live;x", "/health\\live", "/health/%zz"})
  void aPathThatOthersMayReadAnotherWayIsNeverExempt(String path) {
    RuleSet rules =
        set(rule("count"), rule("probes").route("/health/**").by().action(Action.EXEMPT));

    assertEquals(List.of("EXEMPT probes"), asked(rules, request("c", "route", "/health/live")));
    assertEquals(List.of("count"), asked(rules, request("c", "route", path)));
  }

  @Property(tries = 2_000)
  void aNormalFormIsItsOwnNormalForm(
      @ForAll
          @StringLength(max = 24)
          @Chars({'/', '.', 'a', '?', '#'})
          @CharRange(from = 'b', to = 'c')
          String raw) {
    String normal = NormalPath.of(raw).text();

    assertEquals(normal, NormalPath.of(normal).text());
    assertTrue(normal.startsWith("/"));
    assertFalse(normal.contains("//"));
    assertFalse(normal.length() > 1 && normal.endsWith("/"));
    for (String segment : normal.split("/", -1)) {
      assertFalse(segment.equals(".") || segment.equals(".."), normal);
    }
  }

  @Property(tries = 2_000)
  void nothingThatIsWrittenBreaksIt(@ForAll @StringLength(max = 40) String any) {
    assertTrue(NormalPath.of("/" + any + "%" + any).text().startsWith("/"));
  }
}
