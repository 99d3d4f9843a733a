package io.ringfence.config;

import io.ringfence.membership.Address;
import java.time.Duration;
import java.util.Set;

/**
 * How a node serves HTTP.
 *
 * @param http where it listens for callers; port 0 for any free one
 * @param admin who may make admin calls, and where
 * @param dialects which headers tell a client where it stands; may be empty
 * @param drain how long a stop waits for calls in flight; 0 s to 10 min
 */
public record ServingSettings(
    Address http, AdminSettings admin, Set<HeaderDialect> dialects, Duration drain) {
  private static final Duration MAX_DRAIN = Duration.ofMinutes(10);

  /** Whether admin calls are served beside all others, as no address is set apart for them. */
  public boolean adminOnHttp() {
    return admin.listen() == null && http.isLoopback();
  }

  /** Validates the drain, and copies the dialects. */
  public ServingSettings {
    dialects = Set.copyOf(dialects);
    if (drain.isNegative() || drain.compareTo(MAX_DRAIN) > 0) {
      throw new IllegalArgumentException("shutdown.drain must be from 0s to 10m, not " + drain);
    }
  }
}
