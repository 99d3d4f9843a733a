package io.ringfence.http;

/**
 * What the HTTP API counts. Implementations are thread-safe and do not block. Every name that is
 * passed is a constant of this package.
 */
public interface HttpMetrics {

  /** Counts nothing. */
  HttpMetrics NONE = new HttpMetrics() {};

  /** A bound of the given name turned something away. */
  default void overflow(String bound) {}

  /** The part of the given name met something that it cannot explain; see the log. */
  default void defect(String part) {}
}
