package io.ringfence.http;

import java.util.Optional;

/** A family of response headers that tells a caller its budget. Any set of them may be on. */
public enum Dialect {
  /** {@code RateLimit-Limit}, {@code -Remaining} and {@code -Reset}, the last in delta seconds. */
  TRIPLE("triple"),
  /**
   * {@code X-RateLimit-Limit}, {@code -Remaining} and {@code -Reset}, the last in epoch seconds.
   */
  X_LEGACY("x-legacy");

  private final String configName;

  Dialect(String configName) {
    this.configName = configName;
  }

  /** The name in a node file. */
  public String configName() {
    return configName;
  }

  /** The dialect of that name, or empty if there is none. Case matters. */
  public static Optional<Dialect> ofConfigName(String name) {
    for (Dialect dialect : values()) {
      if (dialect.configName.equals(name)) {
        return Optional.of(dialect);
      }
    }
    return Optional.empty();
  }
}
