package io.ringfence.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTest {
  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:7101, 127.0.0.1, 7101",
    "localhost:0, localhost, 0",
    "node-1.prod.example.:65535, node-1.prod.example., 65535",
    "[::1]:1, ::1, 1",
    "[fe80::1%eth0]:80, fe80::1%eth0, 80",
    "[::ffff:127.0.0.1]:9, ::ffff:127.0.0.1, 9",
  })
  void parsesWhatItPrints(String text, String host, int port) {
    Address address = Address.parse(text);
    assertEquals(new Address(host, port), address);
    assertEquals(text, address.toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":",
        ":1",
        "a",
        "a:",
        "a:-1",
        "a:65536",
        "a:999999",
        "a:1x",
        "::1:80",
        "[::1]",
        "[]:1",
        "[::1:1",
        "::1]:1",
        "[a]:1",
        "[1.2.3.4]:1",
        "a b:1",
        "a\n:1",
        "-a:1",
        "[::g]:1",
        "[:1",
        "a::1",
        "[1:2:3]:4",
        "a/b:1",
        "user@a:1"
      })
  void refusesAnythingElse(String text) {
    assertThrows(IllegalArgumentException.class, () -> Address.parse(text));
  }

  @Test
  void errorsNameTheRangeAndCarryNoControlCharacters() {
    assertEquals(
        "port 65536 is outside 0..65535",
        assertThrows(IllegalArgumentException.class, () -> new Address("a", 65_536)).getMessage());
    String message =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> Address.parse("a\r\nb:1"))
                .getMessage());
    assertTrue(message.contains("\"a??b\""), message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "127.255.255.254",
        "localhost",
        "LOCALHOST",
        "::1",
        "0:0:0:0:0:0:0:1",
        "::ffff:127.0.0.1"
      })
  void loopbackByText(String host) {
    assertTrue(new Address(host, 1).isLoopback());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0",
        "10.0.0.1",
        "128.0.0.1",
        "127.0.0.256",
        "127.1",
        "localhost.example",
        "::",
        "::2",
        "127.0.0.1.example.com",
        "2130706433"
      })
  void everythingElseCountsAsReachable(String host) {
    assertFalse(new Address(host, 1).isLoopback());
  }
}
