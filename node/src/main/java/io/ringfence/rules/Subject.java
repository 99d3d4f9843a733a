package io.ringfence.rules;

import org.jspecify.annotations.Nullable;

/**
 * One request while rules are matched against it. What several rules need, the normal path and the
 * address, is worked out once, and only if a rule asks. For one thread.
 */
final class Subject {
  private final Request request;
  private @Nullable NormalPath path;
  private @Nullable IpAddress address;
  private boolean addressRead;

  Subject(Request request) {
    this.request = request;
  }

  @Nullable String method() {
    return request.method();
  }

  /** Null where the check named no route. */
  @Nullable NormalPath path() {
    String raw = request.path();
    if (path == null && raw != null) {
      path = NormalPath.of(raw);
    }
    return path;
  }

  /** Null where the request has no address, or one that cannot be read. */
  @Nullable IpAddress address() {
    if (!addressRead) {
      addressRead = true;
      String text = request.attributes().get(Attributes.IP);
      address = text == null ? null : IpAddress.parse(text);
    }
    return address;
  }

  /** The value of an attribute other than the route, in the spelling that is counted, or null. */
  @Nullable String value(String attribute) {
    return switch (attribute) {
      case Attributes.CLIENT -> request.client();
      case Attributes.TIER -> request.tier();
      case Attributes.IP -> {
        String text = request.attributes().get(Attributes.IP);
        yield text == null ? null : IpAddress.canonical(text);
      }
      default -> request.attributes().get(attribute);
    };
  }

  boolean has(String attribute) {
    return switch (attribute) {
      case Attributes.ROUTE -> request.path() != null;
      case Attributes.CLIENT -> true;
      case Attributes.TIER -> request.tier() != null;
      default -> request.attributes().containsKey(attribute);
    };
  }
}
