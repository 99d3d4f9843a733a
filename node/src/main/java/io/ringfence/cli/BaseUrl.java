package io.ringfence.cli;

import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/** Reads addresses that paths of endpoints can be put behind. */
final class BaseUrl {
  private static final int MAX_PORT = 65_535;

  private BaseUrl() {}

  /**
   * The address without its last slash, or null where the text is not one of http or https with a
   * host, perhaps a port and a path, and nothing else.
   */
  static @Nullable URI of(String text) {
    URI uri;
    try {
      uri = new URI(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
    } catch (URISyntaxException e) {
      return null;
    }
    boolean http = "http".equalsIgnoreCase(uri.getScheme());
    boolean https = "https".equalsIgnoreCase(uri.getScheme());
    boolean plain =
        uri.getHost() != null
            && uri.getPort() != 0
            && uri.getPort() <= MAX_PORT
            && uri.getRawUserInfo() == null
            && uri.getRawQuery() == null
            && uri.getRawFragment() == null;
    return (http || https) && plain ? uri : null;
  }
}
