package io.ringfence.rules;

import org.jspecify.annotations.Nullable;

/**
 * An IP address as 128 bits. IPv4 addresses lie in the mapped range {@code ::ffff:0:0/96}, so that
 * {@code 203.0.113.7} and {@code ::ffff:203.0.113.7} are one address and nobody gets a second
 * counter by the way an address is written.
 *
 * <p>Only literals are read: nothing here asks a name server. Accepted are four decimal octets
 * without leading zeros (some readers take those for octal), and IPv6 as RFC 4291 section 2.2 has
 * it, without a zone. The text form is that of RFC 5952, and dotted for IPv4.
 *
 * <p>Immutable and thread-safe.
 *
 * @param high the first 64 bits
 * @param low the last 64 bits
 */
public record IpAddress(long high, long low) implements Comparable<IpAddress> {
  private static final long MAPPED_PREFIX = 0xffff_0000_0000L;
  private static final long LOW_32 = 0xffff_ffffL;
  private static final int GROUPS = 8;
  private static final int MAX_CHARS = 45; // the longest literal: six full groups and dotted IPv4

  /** The address that a literal names, or null where the text is none. */
  public static @Nullable IpAddress parse(String text) {
    if (text.isEmpty() || text.length() > MAX_CHARS) {
      return null;
    }
    if (text.indexOf(':') >= 0) {
      return parseV6(text);
    }
    long v4 = parseV4(text, 0);
    return v4 < 0 ? null : ofV4(v4);
  }

  /**
   * One spelling for each address: its canonical text, or the text itself where it names none. Four
   * decimal octets come back as they are.
   */
  public static String canonical(String text) {
    if (text.indexOf(':') < 0) {
      return text;
    }
    IpAddress address = parse(text);
    return address == null ? text : address.toString();
  }

  /** Whether this is an IPv4 address, however it was written. */
  public boolean isV4() {
    return high == 0 && (low & ~LOW_32) == MAPPED_PREFIX;
  }

  @Override
  public int compareTo(IpAddress other) {
    int order = Long.compareUnsigned(high, other.high);
    return order != 0 ? order : Long.compareUnsigned(low, other.low);
  }

  @Override
  public String toString() {
    return isV4() ? v4Text() : v6Text();
  }

  static IpAddress ofV4(long bits) {
    return new IpAddress(0, MAPPED_PREFIX | bits);
  }

  /** This address with all but the first {@code prefix} bits cleared; 0 to 128. */
  IpAddress masked(int prefix) {
    if (prefix >= 64) {
      return new IpAddress(high, prefix == 64 ? 0 : low & (-1L << (128 - prefix)));
    }
    return new IpAddress(prefix == 0 ? 0 : high & (-1L << (64 - prefix)), 0);
  }

  /** The 32 bits of four dotted octets that fill the text from {@code start}, or -1. */
  private static long parseV4(String text, int start) {
    long bits = 0;
    int at = start;
    for (int octet = 0; octet < 4; octet++) {
      int value = 0;
      int first = at;
      while (at < text.length() && isDigit(text.charAt(at)) && at - first < 3) {
        value = value * 10 + (text.charAt(at++) - '0');
      }
      boolean leadingZero = at - first > 1 && text.charAt(first) == '0';
      if (at == first || leadingZero || value > 255) {
        return -1;
      }
      bits = bits << 8 | value;
      if (octet < 3 && (at >= text.length() || text.charAt(at++) != '.')) {
        return -1;
      }
    }
    return at == text.length() ? bits : -1;
  }

  private static @Nullable IpAddress parseV6(String text) {
    int gap = text.indexOf("::");
    if (gap < 0) {
      int[] groups = new int[GROUPS];
      return parseGroups(text, groups) == GROUPS ? ofGroups(groups) : null;
    }
    if (text.indexOf("::", gap + 1) >= 0) {
      return null;
    }
    String headText = text.substring(0, gap);
    if (headText.indexOf('.') >= 0) {
      return null;
    }
    int[] head = new int[GROUPS];
    int[] tail = new int[GROUPS];
    int heads = parseGroups(headText, head);
    int tails = parseGroups(text.substring(gap + 2), tail);
    if (heads < 0 || tails < 0 || heads + tails >= GROUPS) {
      return null;
    }
    System.arraycopy(tail, 0, head, GROUPS - tails, tails);
    return ofGroups(head);
  }

  /** Reads groups between colons, of which the last may be dotted; how many there are, or -1. */
  private static int parseGroups(String text, int[] groups) {
    if (text.isEmpty()) {
      return 0;
    }
    int count = 0;
    int start = 0;
    while (true) {
      int colon = text.indexOf(':', start);
      int end = colon < 0 ? text.length() : colon;
      if (colon < 0 && text.indexOf('.', start) >= 0) {
        long v4 = parseV4(text, start);
        if (v4 < 0 || count > GROUPS - 2) {
          return -1;
        }
        groups[count] = (int) (v4 >>> 16);
        groups[count + 1] = (int) (v4 & 0xffff);
        return count + 2;
      }
      int value = hexGroup(text, start, end);
      if (value < 0 || count == GROUPS) {
        return -1;
      }
      groups[count++] = value;
      if (colon < 0) {
        return count;
      }
      start = colon + 1;
    }
  }

  private static int hexGroup(String text, int start, int end) {
    if (end <= start || end - start > 4) {
      return -1;
    }
    int value = 0;
    for (int i = start; i < end; i++) {
      char c = text.charAt(i);
      int digit = c < 128 ? Character.digit(c, 16) : -1;
      if (digit < 0) {
        return -1;
      }
      value = value << 4 | digit;
    }
    return value;
  }

  private static IpAddress ofGroups(int[] groups) {
    long high = 0;
    long low = 0;
    for (int i = 0; i < 4; i++) {
      high = high << 16 | groups[i];
      low = low << 16 | groups[i + 4];
    }
    return new IpAddress(high, low);
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private String v4Text() {
    return (low >>> 24 & 255)
        + "."
        + (low >>> 16 & 255)
        + "."
        + (low >>> 8 & 255)
        + "."
        + (low & 255);
  }

  private int group(int index) {
    return (int) ((index < 4 ? high >>> (48 - 16 * index) : low >>> (112 - 16 * index)) & 0xffff);
  }

  /** The longest run of two or more zero groups, the first of equals, becomes two colons. */
  private String v6Text() {
    int gapStart = -1;
    int gapLength = 1;
    for (int i = 0; i < GROUPS; ) {
      int end = i;
      while (end < GROUPS && group(end) == 0) {
        end++;
      }
      if (end - i > gapLength) {
        gapStart = i;
        gapLength = end - i;
      }
      i = Math.max(end, i + 1);
    }
    StringBuilder text = new StringBuilder(MAX_CHARS);
    for (int i = 0; i < GROUPS; i++) {
      if (i == gapStart) {
        text.append("::");
        i += gapLength - 1;
      } else {
        if (i > 0 && text.charAt(text.length() - 1) != ':') {
          text.append(':');
        }
        text.append(Integer.toHexString(group(i)));
      }
    }
    return text.toString();
  }
}
