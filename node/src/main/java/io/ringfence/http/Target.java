package io.ringfence.http;

/**
 * A request target (RFC 9112, 3.2), taken apart. The absolute form, which clients of a proxy send,
 * means the same as the origin form; its authority is not looked at, as nothing is served by name.
 *
 * @param path what comes before the question mark
 * @param query what comes after it; empty where there is none
 */
record Target(String path, String query) {

  static Target parse(String uri) {
    String origin = uri;
    int scheme = uri.startsWith("/") ? -1 : uri.indexOf("://");
    if (scheme > 0) {
      int slash = uri.indexOf('/', scheme + 3);
      origin = slash < 0 ? "/" : uri.substring(slash);
    }
    int mark = origin.indexOf('?');
    return mark < 0
        ? new Target(origin, "")
        : new Target(origin.substring(0, mark), origin.substring(mark + 1));
  }
}
