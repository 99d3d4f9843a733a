package io.ringfence.http;

import java.util.List;

/** Tells whether a node wants traffic. Thread-safe; must not block. */
@FunctionalInterface
public interface Readiness {

  /** Why the node wants no traffic now, for people; empty when it is ready. */
  List<String> reasonsAgainst();
}
