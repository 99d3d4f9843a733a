package io.ringfence.http;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * IP addresses as text. One address has many spellings in IPv6, and a limit by address would have
 * as many counters, so each is brought to the one of RFC 5952. An IPv4-mapped address
 * (::ffff:192.0.2.1) is that IPv4 address. Nothing here asks a name server.
 */
final class IpText {
  private static final int LONGEST = "ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255".length();
  private static final int IPV4_BYTES = 4;

  private IpText() {}

  /** The canonical spelling, or null if the text is no address; ports and zones make it none. */
  static @Nullable String canonical(String text) {
    if (text.isEmpty() || text.length() > LONGEST || !text.chars().allMatch(IpText::isPart)) {
      return null;
    }
    if (text.indexOf(':') < 0) {
      return isIpv4(text) ? text : null;
    }
    int embedded = text.indexOf('.') < 0 ? -1 : text.lastIndexOf(':') + 1;
    if (embedded > 0 && !isIpv4(text.substring(embedded))) {
      return null;
    }
    if (!NetUtil.isValidIpV6Address(text)) {
      return null;
    }
    byte[] bytes = NetUtil.createByteArrayFromIpAddressString(text);
    return bytes == null ? null : spell(bytes);
  }

  /** Java itself folds an IPv4-mapped address into an IPv4 one. */
  private static String spell(byte[] bytes) {
    try {
      InetAddress address = InetAddress.getByAddress(bytes);
      return address.getAddress().length == IPV4_BYTES
          ? address.getHostAddress()
          : NetUtil.toAddressString(address);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address has 4 or 16 bytes, not " + bytes.length, e);
    }
  }

  /**
   * Four decimal numbers of 0 to 255 without leading zeros, which some readers take for octal and
   * others do not.
   */
  private static boolean isIpv4(String text) {
    int numbers = 0;
    int value = -1;
    for (int i = 0; i <= text.length(); i++) {
      char c = i < text.length() ? text.charAt(i) : '.';
      if (c == '.') {
        if (value < 0) {
          return false;
        }
        numbers++;
        value = -1;
      } else if (c >= '0' && c <= '9' && value != 0) {
        value = Math.max(value, 0) * 10 + (c - '0');
        if (value > 255) {
          return false;
        }
      } else {
        return false;
      }
    }
    return numbers == IPV4_BYTES;
  }

  private static boolean isPart(int c) {
    return (c >= '0' && c <= '9')
        || (c >= 'a' && c <= 'f')
        || (c >= 'A' && c <= 'F')
        || c == ':'
        || c == '.';
  }
}
