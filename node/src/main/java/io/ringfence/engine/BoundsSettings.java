package io.ringfence.engine;

/**
 * How much a node keeps and accepts.
 *
 * @param keys the most counters that a node holds; 1,000 to 1,000,000,000
 * @param keyBytes the longest key, and the longest value of an attribute, in bytes of UTF-8; 1 to
 *     4,096
 * @param batch the most checks in one bulk call; 1 to 10,000
 * @param bodyBytes the longest body of an HTTP request; 1 KiB to 16 MiB
 * @param fallbackPerSecond the most checks a second that all local buckets of a node together admit
 *     while owners do not answer; 1 to 1,000,000,000
 */
public record BoundsSettings(
    long keys, int keyBytes, int batch, int bodyBytes, long fallbackPerSecond) {

  /**
   * 2,000,000 counters, keys of 256 bytes, batches of 1,000, bodies of 64 KiB, 10,000 checks a
   * second on local buckets.
   */
  public static final BoundsSettings DEFAULT =
      new BoundsSettings(2_000_000, 256, 1_000, 64 * 1024, 10_000);

  /** Validates the ranges. */
  public BoundsSettings {
    if (keys < 1_000 || keys > 1_000_000_000) {
      throw new IllegalArgumentException(
          "bounds.keys must be from 1000 to 1000000000, not " + keys);
    }
    if (keyBytes < 1 || keyBytes > 4_096) {
      throw new IllegalArgumentException(
          "bounds.key_bytes must be from 1 to 4096, not " + keyBytes);
    }
    if (batch < 1 || batch > 10_000) {
      throw new IllegalArgumentException("bounds.batch must be from 1 to 10000, not " + batch);
    }
    if (bodyBytes < 1_024 || bodyBytes > 16 * 1024 * 1024) {
      throw new IllegalArgumentException(
          "bounds.body must be from 1KiB to 16MiB, not " + bodyBytes);
    }
    if (fallbackPerSecond < 1 || fallbackPerSecond > 1_000_000_000) {
      throw new IllegalArgumentException(
          "bounds.fallback_per_second must be from 1 to 1000000000, not " + fallbackPerSecond);
    }
  }
}
