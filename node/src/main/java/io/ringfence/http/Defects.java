package io.ringfence.http;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What should never happen and did: each is counted, and each kind is logged once, so that a defect
 * that every request meets does not fill a disk. Thread-safe.
 */
final class Defects {
  private static final Logger log = LoggerFactory.getLogger(Defects.class);
  private static final int MAX_KINDS = 64;

  private final HttpMetrics metrics;
  private final Set<String> logged = ConcurrentHashMap.newKeySet();

  Defects(HttpMetrics metrics) {
    this.metrics = metrics;
  }

  /**
   * @param part a constant that names where it happened
   */
  void met(String part, Throwable cause) {
    metrics.defect(part);
    if (logged.size() < MAX_KINDS && logged.add(part + ' ' + cause.getClass().getName())) {
      log.error("defect in {}; further ones of this kind are counted, not logged", part, cause);
    }
  }
}
