package io.ringfence.membership;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/**
 * Where something listens: a host and a TCP port. The text form is {@code host:port}; an IPv6
 * literal stands in brackets there, {@code [::1]:7101}, and without them in {@link #host}.
 *
 * <p>Nothing here asks a name server. Two addresses are equal when their text is, so {@code
 * localhost} and {@code 127.0.0.1} differ.
 *
 * <p>Immutable and thread-safe; no method blocks.
 *
 * @param host a host name, an IPv4 literal or an IPv6 literal without brackets; 1 to 253 characters
 * @param port 0 to 65535; 0 means "any free port" where something is about to listen
 */
public record Address(String host, int port) {
  private static final int MAX_HOST_CHARS = 253;
  private static final int MAX_PORT = 65_535;
  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9.])?");
  private static final Pattern LOOPBACK_V4 =
      Pattern.compile("127(\\.(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])){3}");
  private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:.]+(%[A-Za-z0-9._-]+)?");

  /**
   * @throws IllegalArgumentException when the host is neither a name nor a literal, or the port is
   *     outside 0..65535
   */
  public Address {
    if (port < 0 || port > MAX_PORT) {
      throw new IllegalArgumentException("port " + port + " is outside 0.." + MAX_PORT);
    }
    if (host.isEmpty() || host.length() > MAX_HOST_CHARS) {
      throw new IllegalArgumentException(
          "a host has 1.." + MAX_HOST_CHARS + " characters, not " + host.length());
    }
    boolean valid = host.indexOf(':') >= 0 ? isIpv6(host) : HOST.matcher(host).matches();
    if (!valid) {
      throw new IllegalArgumentException(
          "host is not a name, an IPv4 or an IPv6 literal: " + printable(host));
    }
  }

  /**
   * Reads {@code host:port} or {@code [ipv6]:port}.
   *
   * @throws IllegalArgumentException when the text is anything else
   */
  public static Address parse(String text) {
    int colon = text.lastIndexOf(':');
    if (colon <= 0) {
      throw malformed(text);
    }
    String host = text.substring(0, colon);
    boolean bracketed = host.startsWith("[");
    if (bracketed != host.endsWith("]")) {
      throw malformed(text);
    }
    if (bracketed) {
      host = host.substring(1, host.length() - 1);
    }
    if (bracketed != (host.indexOf(':') >= 0)) {
      throw malformed(text);
    }
    return new Address(host, parsePort(text.substring(colon + 1), text));
  }

  /**
   * Whether only processes of this machine can reach it: {@code localhost}, 127.0.0.0/8 or {@code
   * ::1}, by the text alone. Any other name counts as reachable from outside, also one that a name
   * server would map to loopback.
   */
  public boolean isLoopback() {
    if (host.indexOf(':') >= 0) {
      return ipv6(host).isLoopbackAddress();
    }
    return host.equalsIgnoreCase("localhost") || LOOPBACK_V4.matcher(host).matches();
  }

  /** The same host with another port, as known once a port of 0 has been bound. */
  public Address withPort(int otherPort) {
    return new Address(host, otherPort);
  }

  /** {@code host:port}, or {@code [host]:port} for an IPv6 literal; {@link #parse} reads it. */
  @Override
  public String toString() {
    return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
  }

  private static boolean isIpv6(String host) {
    return IPV6.matcher(host).matches() && parsesAsIpv6(host);
  }

  private static boolean parsesAsIpv6(String host) {
    try {
      return ipv6(host).getAddress().length > 0;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** A host with a colon is only ever read as a literal, so this asks no name server. */
  private static InetAddress ipv6(String host) {
    int zone = host.indexOf('%');
    try {
      return InetAddress.getByName(zone < 0 ? host : host.substring(0, zone));
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("not an IPv6 literal: " + printable(host), e);
    }
  }

  private static int parsePort(String digits, String text) {
    if (digits.isEmpty() || digits.length() > 5 || !digits.chars().allMatch(Address::isDigit)) {
      throw malformed(text);
    }
    return Integer.parseInt(digits);
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private static IllegalArgumentException malformed(String text) {
    return new IllegalArgumentException(
        "expected host:port or [ipv6]:port with a port of 0.."
            + MAX_PORT
            + ", not "
            + printable(text));
  }

  /** Errors end up in logs, so what came from outside is cut and stripped of control characters. */
  private static String printable(String text) {
    String cut = text.length() > 80 ? text.substring(0, 80) + "..." : text;
    return "\"" + cut.replaceAll("[^\\x20-\\x7e]", "?") + "\"";
  }
}
