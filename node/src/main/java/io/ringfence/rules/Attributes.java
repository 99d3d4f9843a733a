package io.ringfence.rules;

import java.util.Set;
import java.util.regex.Pattern;

/** The names of what a request tells about itself, as rules use them. */
public final class Attributes {
  /** The method and path that the request is for; counted as the pattern that matched. */
  public static final String ROUTE = "route";

  /** The key of the check. */
  public static final String CLIENT = "client";

  /** The plan of the client. */
  public static final String TIER = "tier";

  /** The caller's address; matched by blocks, and counted in one spelling. */
  public static final String IP = "ip";

  /** Says that a rule counts by nothing: one counter for all. */
  public static final String GLOBAL = "global";

  /** What needs no declaration. */
  public static final Set<String> BUILT_IN =
      Set.of(ROUTE, CLIENT, TIER, IP, "user", "tenant", "api_key");

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

  private Attributes() {}

  /** Whether this may name an attribute: 1 to 64 letters, digits, {@code _ . -}. */
  public static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }
}
