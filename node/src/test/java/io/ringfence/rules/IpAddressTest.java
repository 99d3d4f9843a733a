package io.ringfence.rules;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpAddressTest {

  @ParameterizedTest
  @CsvSource({
    "203.0.113.7, 203.0.113.7",
    "0.0.0.0, 0.0.0.0",
    "255.255.255.255, 255.255.255.255",
    "::ffff:203.0.113.7, 203.0.113.7",
    "::FFFF:CB00:7107, 203.0.113.7",
    "0:0:0:0:0:ffff:203.0.113.7, 203.0.113.7",
    "::, ::",
    "::1, ::1",
    "1::, 1::",
    "2001:DB8:0:0:0:0:0:1, 2001:db8::1",
    "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
    "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
    "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
    "64:ff9b::192.0.2.1, 64:ff9b::c000:201",
    "::203.0.113.7, ::cb00:7107",
  })
  void everyAddressHasOneSpelling(String written, String canonical) {
    assertEquals(canonical, IpAddress.canonical(written));
    assertEquals(canonical, String.valueOf(IpAddress.parse(written)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1",
        "1.2.3",
        "1.2.3.4.5",
        "1.2.3.256",
        "01.2.3.4",
        "1.2.3.4 ",
        "1..3.4",
        "a.b.c.d",
        "localhost",
        "1.2.3.4:80",
        "[::1]",
        ":",
        ":::",
        "1::2::3",
        "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9",
        "1:2:3:4:5:6:7:8::",
        "::1:2:3:4:5:6:7:8",
        "12345::",
        "g::",
        "fe80::1%eth0",
        "::1.2.3",
        "1.2.3.4::",
        "::1.2.3.4:5",
        "1:2:3:4:5:6:7:1.2.3.4",
        ":1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:",
        "１.2.3.4",
        "\u0661.2.3.4",
        " ",
        "1.2.3.04",
        ".1.2.3",
        "1.2.3.",
        "-1.2.3.4",
        "0x1.2.3.4",
        "::g",
        "[::1]:80",
        "fe80::1%1",
        "::ffff:1.2.3.256",
        "::ffff:01.2.3.4",
        "::1.2.3.4.5",
        "::ｆ",
      })
  void whatIsNoAddressIsNone(String text) {
    assertNull(IpAddress.parse(text));
    assertEquals(text, IpAddress.canonical(text));
  }

  @Property(tries = 500)
  void theJdkReadsTheSameOutOfIt(@ForAll long high, @ForAll long low, @ForAll byte zeros)
      throws UnknownHostException {
    long mask = 0;
    for (int group = 0; group < 4; group++) {
      mask |= (zeros >> group & 1) == 0 ? 0xffffL << (16 * group) : 0;
    }
    IpAddress address = new IpAddress(high & mask, low & ~mask);
    byte[] bytes = ByteBuffer.allocate(16).putLong(address.high()).putLong(address.low()).array();
    String jdk = InetAddress.getByAddress(bytes).getHostAddress();

    assertEquals(address, IpAddress.parse(address.toString()));
    assertEquals(address, IpAddress.parse(jdk));
    assertArrayEquals(
        InetAddress.getByAddress(bytes).getAddress(),
        InetAddress.getByName(address.toString()).getAddress());
  }

  @ParameterizedTest
  @CsvSource({
    "203.0.113.0/24, 203.0.113.255, true",
    "203.0.113.0/24, 203.0.114.0, false",
    "203.0.113.7, 203.0.113.7, true",
    "203.0.113.7, 203.0.113.8, false",
    "0.0.0.0/0, 8.8.8.8, true",
    "0.0.0.0/0, ::1, false",
    "::/0, ::1, true",
    "::/0, 8.8.8.8, false",
    "::/0, ::ffff:8.8.8.8, false",
    "10.0.0.0/8, ::ffff:10.1.2.3, true",
    "::ffff:10.0.0.0/104, 10.1.2.3, true",
    "2001:db8::/32, 2001:db8:ffff::1, true",
    "2001:db8::/32, 2001:db9::1, false",
    "2001:db8::/65, 2001:db8:0:0:7fff::, true",
    "2001:db8::/65, 2001:db8:0:0:8000::, false",
    "2001:db8:1::/64, 2001:db8:1:0:1::, true",
  })
  void aBlockHoldsItsAddresses(String block, String address, boolean holds) {
    IpAddress parsed = IpAddress.parse(address);

    assertNotNull(parsed);
    assertEquals(holds, Network.parse(block).contains(parsed));
    assertEquals(holds, new NetworkSet(List.of(Network.parse(block))).contains(parsed));
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.1/8, the block is 10.0.0.0/8",
    "2001:db8::1/32, the block is 2001:db8::/32",
    "10.0.0.0/33, 0 to 32",
    "::/129, 0 to 128",
    "10.0.0.0/, 0 to 32",
    "10.0.0.0/-1, 0 to 32",
    "10.0.0.0/08, 0 to 32",
    "10.0.0/8, is not an address",
    "example.org, is not an address",
    "/8, is not an address",
  })
  void whatIsNoBlockIsRefused(String text, String why) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> Network.parse(text));

    assertTrue(String.valueOf(refused.getMessage()).contains(why), () -> refused.toString());
  }

  @Property(tries = 500)
  void aSetHoldsWhatOneOfItsBlocksHolds(
      @ForAll @Size(max = 8) List<@IntRange(max = 1_023) Integer> blocks,
      @ForAll @IntRange(max = 255) int octet,
      @ForAll boolean mapped) {
    List<Network> networks = blocks.stream().map(IpAddressTest::someBlock).toList();
    IpAddress address = IpAddress.parse((mapped ? "::ffff:" : "") + "10.0.0." + octet);
    assertNotNull(address);
    NetworkSet set = new NetworkSet(networks);

    boolean expected = networks.stream().anyMatch(network -> network.contains(address));
    assertEquals(expected, set.contains(address));
    assertEquals(expected, set.overlaps(new NetworkSet(List.of(Network.parse("10.0.0." + octet)))));
  }

  /** A block of 10.0.0.0/24, or of the IPv6 addresses that end alike, by number. */
  private static Network someBlock(int number) {
    int prefix = 24 + number % 9;
    long first = (number / 4 & 255) & (-1L << (32 - prefix));
    return number % 5 == 0
        ? Network.parse("::/" + number % 129)
        : Network.parse("10.0.0." + first + "/" + prefix);
  }

  @Test
  void setsThatOnlyNestOverlap() {
    NetworkSet wide = new NetworkSet(List.of(Network.parse("10.0.0.0/8")));
    NetworkSet narrow = new NetworkSet(List.of(Network.parse("10.9.0.0/16")));
    NetworkSet apart = new NetworkSet(List.of(Network.parse("11.0.0.0/8"), Network.parse("::/0")));

    assertTrue(wide.overlaps(narrow));
    assertTrue(narrow.overlaps(wide));
    assertFalse(wide.overlaps(apart));
    assertFalse(apart.overlaps(narrow));
  }

  @Test
  void noAddressIsOutsideEveryRange() {
    @Nullable IpAddress last = IpAddress.parse("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff");

    assertNotNull(last);
    assertTrue(Network.parse("ffff::/16").contains(last));
    assertTrue(Network.parse("::/0").contains(last));
  }
}
