package io.ringfence.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One address has one spelling, so that it has one counter. */
class IpTextTest {

  @ParameterizedTest
  @CsvSource({
    "192.0.2.1, 192.0.2.1",
    "0.0.0.0, 0.0.0.0",
    "255.255.255.255, 255.255.255.255",
    "::, ::",
    "::1, ::1",
    "2001:DB8:0:0:0:0:0:1, 2001:db8::1",
    "2001:0db8::0001, 2001:db8::1",
    "2001:db8::1:0:0:1, 2001:db8::1:0:0:1",
    "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
    "::ffff:192.0.2.1, 192.0.2.1",
    "::FFFF:c000:0201, 192.0.2.1",
    "0:0:0:0:0:ffff:192.0.2.1, 192.0.2.1",
    "fe80::1, fe80::1",
  })
  void spellingsOfOneAddressAreOne(String text, String canonical) {
    assertEquals(canonical, IpText.canonical(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "1",
        "1.2.3",
        "1.2.3.4.5",
        "1.2.3.256",
        "01.2.3.4",
        "1.2.3.04",
        "1.2.3.4 ",
        "1..3.4",
        ".1.2.3",
        "1.2.3.",
        "-1.2.3.4",
        "1.2.3.4:80",
        "0x1.2.3.4",
        "localhost",
        "example.org",
        ":",
        ":::",
        "1::2::3",
        "::g",
        "[::1]",
        "[::1]:80",
        "fe80::1%eth0",
        "fe80::1%1",
        "12345::",
        "1:2:3:4:5:6:7:8:9",
        "1:2:3:4:5:6:7",
        "::ffff:1.2.3",
        "::ffff:1.2.3.256",
        "::ffff:01.2.3.4",
        "::1.2.3.4.5",
        "1.2.3.4::",
        "\u0661.2.3.4",
        "1:2:3:4:5:6:7:1.2.3.4"
      })
  void whatIsNoAddressHasNone(String text) {
    assertNull(IpText.canonical(text));
  }
}
