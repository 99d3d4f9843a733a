package io.ringfence.http;

/**
 * What the connections of one server share: its settings, what it answers with, what they may hold
 * together, and whether it is about to close.
 *
 * <p>Thread-safe; does not block.
 */
final class Premises {
  private final HttpSettings settings;
  private final Endpoints endpoints;
  private final HttpMetrics metrics;
  private final UnreadAnswers unread;
  private final PartialBodies bodies;
  // Never unset.
  private volatile boolean lastCalls;

  /**
   * What all connections together may hold.
   *
   * @param unreadBytes of answers that nobody reads
   * @param partialBodyBytes of bodies that have come in part
   */
  record Totals(long unreadBytes, long partialBodyBytes) {
    /** 64 MiB each. */
    static final Totals DEFAULT = new Totals(64L << 20, 64L << 20);
  }

  Premises(HttpSettings settings, Endpoints endpoints, HttpMetrics metrics, Totals totals) {
    this.settings = settings;
    this.endpoints = endpoints;
    this.metrics = metrics;
    this.unread = new UnreadAnswers(totals.unreadBytes());
    this.bodies = new PartialBodies(totals.partialBodyBytes());
  }

  HttpLimits limits() {
    return settings.limits();
  }

  /** The longest body. */
  int bodyBytes() {
    return settings.bounds().bodyBytes();
  }

  Endpoints endpoints() {
    return endpoints;
  }

  UnreadAnswers unread() {
    return unread;
  }

  PartialBodies bodies() {
    return bodies;
  }

  /** A bound turned something away. */
  void met(HttpBound bound) {
    metrics.overflow(bound.text());
  }

  /** From now on every answer ends its connection. */
  void callLast() {
    lastCalls = true;
  }

  boolean lastCalls() {
    return lastCalls;
  }
}
