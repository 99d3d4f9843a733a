package io.ringfence.http;

import org.jspecify.annotations.Nullable;

/** What can be asked for. A path is matched exactly, without its query. */
enum Endpoint {
  /** Decides and charges. */
  CHECK("/v1/check", true),
  /** Tells what a check would be told. */
  PEEK("/v1/peek", true),
  /** Tells where a counter lives. */
  OWNER("/v1/owner", false),
  /** Tells what the node knows of its cluster. */
  CLUSTER("/v1/cluster", false),
  /** Whether the process works at all. */
  LIVE("/health/live", false),
  /** Whether the node wants traffic. */
  READY("/health/ready", false),
  /** The page that Prometheus reads. */
  METRICS("/metrics", false);

  private static final Endpoint[] ALL = values();

  private final String path;
  private final boolean readsBody;

  Endpoint(String path, boolean readsBody) {
    this.path = path;
    this.readsBody = readsBody;
  }

  /** The path, as documented. */
  String path() {
    return path;
  }

  /** Whether it is posted to; the body of any other is counted and dropped. */
  boolean readsBody() {
    return readsBody;
  }

  /** The methods that it answers, as {@code Allow} lists them. */
  String allow() {
    return readsBody ? "POST" : "GET, HEAD";
  }

  /** Whether it answers the method. */
  boolean answers(String method) {
    return readsBody ? method.equals("POST") : method.equals("GET") || method.equals("HEAD");
  }

  /** The endpoint of a path, or null where there is none. */
  static @Nullable Endpoint ofPath(String path) {
    for (Endpoint endpoint : ALL) {
      if (endpoint.path.equals(path)) {
        return endpoint;
      }
    }
    return null;
  }
}
