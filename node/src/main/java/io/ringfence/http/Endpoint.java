package io.ringfence.http;

import org.jspecify.annotations.Nullable;

/**
 * What can be asked for. A path is matched exactly, without its query; one that ends with a
 * variable matches whatever begins with the part before that.
 */
enum Endpoint {
  /** Decides and charges. */
  CHECK("/v1/check", Method.POST, CallGroup.CHECKS),
  /** Decides and charges, check by check. */
  CHECKS("/v1/checks", Method.POST, CallGroup.CHECKS),
  /** Tells what a check would be told. */
  PEEK("/v1/peek", Method.POST, CallGroup.CHECKS),
  /** Gives back what was charged. */
  REFUND("/v1/refund", Method.POST, CallGroup.CHECKS),
  /** Tells where a counter lives. */
  OWNER("/v1/owner", Method.GET, CallGroup.CHECKS),
  /** Tells what the node knows of its cluster. */
  CLUSTER("/v1/cluster", Method.GET, CallGroup.STATUS),
  /** Whether the process works at all. */
  LIVE("/health/live", Method.GET, CallGroup.STATUS),
  /** Whether the node wants traffic. */
  READY("/health/ready", Method.GET, CallGroup.STATUS),
  /** The page that Prometheus reads. */
  METRICS("/metrics", Method.GET, CallGroup.STATUS),
  /** Makes counters as good as new. */
  RESET("/v1/reset", Method.POST, CallGroup.ADMIN),
  /** Charges whether it fits or not. */
  DEBIT("/v1/debit", Method.POST, CallGroup.ADMIN),
  /** Has the node go on by itself, without a quorum. */
  PROMOTE("/v1/cluster/promote", Method.POST, CallGroup.ADMIN),
  /** Has the node hand over its slots and leave its view. */
  DRAIN("/v1/cluster/drain", Method.POST, CallGroup.ADMIN),
  /** Gives a member another weight. */
  MEMBER("/v1/cluster/members/{name}", Method.PUT, CallGroup.ADMIN),
  /** Tells what one client has used. */
  USAGE("/v1/usage/{client}", Method.GET, CallGroup.ADMIN),
  /** Tells the rules in force. */
  LIMITS("/v1/limits", Method.GET, CallGroup.ADMIN),
  /** Tells those of one tier. */
  TIER("/v1/limits/{tier}", Method.GET, CallGroup.ADMIN);

  private enum Method {
    GET,
    POST,
    PUT
  }

  private static final Endpoint[] ALL = values();

  private final String path;
  private final Method method;
  private final CallGroup group;
  private final String fixedPart;

  Endpoint(String path, Method method, CallGroup group) {
    this.path = path;
    this.method = method;
    this.group = group;
    int variable = path.indexOf('{');
    this.fixedPart = variable < 0 ? path : path.substring(0, variable);
  }

  /** The path, as documented. */
  String path() {
    return path;
  }

  /** The path up to its variable; all of it where it has none. */
  String fixedPart() {
    return fixedPart;
  }

  /** What it is served together with. */
  CallGroup group() {
    return group;
  }

  /** Whether it is posted or put to; the body of any other is counted and dropped. */
  boolean readsBody() {
    return method != Method.GET;
  }

  /** The methods that it answers, as {@code Allow} lists them. */
  String allow() {
    return readsBody() ? method.name() : "GET, HEAD";
  }

  /** Whether it answers the method. */
  boolean answers(String asked) {
    return readsBody() ? asked.equals(method.name()) : asked.equals("GET") || asked.equals("HEAD");
  }

  /** The endpoint of a path, or null where there is none. */
  static @Nullable Endpoint ofPath(String path) {
    for (Endpoint endpoint : ALL) {
      if (endpoint.matches(path)) {
        return endpoint;
      }
    }
    return null;
  }

  private boolean matches(String asked) {
    return fixedPart.length() == path.length() ? asked.equals(path) : asked.startsWith(fixedPart);
  }
}
