package io.ringfence.rules;

/**
 * A block of addresses in CIDR form (RFC 4632). An IPv4 block lies in the mapped range, with 96
 * added to its prefix, and contains IPv4 addresses only; an IPv6 block contains IPv6 addresses
 * only, so {@code ::/0} means every IPv6 address. Two blocks are either apart or one holds the
 * other.
 *
 * <p>Immutable and thread-safe.
 *
 * @param first the first address of the block
 * @param prefix how many leading bits all of its addresses share, 0 to 128
 */
public record Network(IpAddress first, int prefix) {
  private static final int BITS = 128;
  private static final int V4_BITS = 32;

  /** Validates the prefix, and that no bit after it is set. */
  public Network {
    if (prefix < 0 || prefix > BITS) {
      throw new IllegalArgumentException("a prefix is from 0 to 128, not " + prefix);
    }
    if (!first.masked(prefix).equals(first)) {
      throw new IllegalArgumentException(
          "bits are set after the prefix of " + first + "/" + prefix);
    }
  }

  /**
   * Reads {@code address/prefix}, or an address that stands for itself alone.
   *
   * @throws IllegalArgumentException saying what is wrong and what would be right
   */
  public static Network parse(String text) {
    int slash = text.indexOf('/');
    String addressText = slash < 0 ? text : text.substring(0, slash);
    IpAddress address = IpAddress.parse(addressText);
    if (address == null) {
      throw new IllegalArgumentException(
          "is not an address or a block such as 203.0.113.0/24 or 2001:db8::/32");
    }
    if (slash < 0) {
      return new Network(address, BITS);
    }
    boolean dotted = addressText.indexOf(':') < 0;
    int most = dotted ? V4_BITS : BITS;
    int written = prefixOf(text.substring(slash + 1));
    if (written < 0 || written > most) {
      throw new IllegalArgumentException("has a prefix that is not a number from 0 to " + most);
    }
    int prefix = dotted ? written + BITS - V4_BITS : written;
    IpAddress masked = address.masked(prefix);
    if (!masked.equals(address)) {
      throw new IllegalArgumentException(
          "has bits set after its prefix; the block is " + masked + "/" + written);
    }
    return new Network(address, prefix);
  }

  /** Whether the address lies in this block. */
  public boolean contains(IpAddress address) {
    return address.masked(prefix).equals(first) && address.isV4() == isV4();
  }

  boolean isV4() {
    return prefix >= BITS - V4_BITS && first.isV4();
  }

  @Override
  public String toString() {
    return isV4() ? first + "/" + (prefix - (BITS - V4_BITS)) : first + "/" + prefix;
  }

  private static int prefixOf(String digits) {
    if (digits.isEmpty() || digits.length() > 3) {
      return -1;
    }
    int value = 0;
    for (int i = 0; i < digits.length(); i++) {
      char c = digits.charAt(i);
      if (c < '0' || c > '9' || (c == '0' && i == 0 && digits.length() > 1)) {
        return -1;
      }
      value = value * 10 + (c - '0');
    }
    return value;
  }
}
