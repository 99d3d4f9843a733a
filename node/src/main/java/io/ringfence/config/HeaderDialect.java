package io.ringfence.config;

/** A family of response headers that tell a client where it stands. */
public enum HeaderDialect {
  /** RateLimit-Limit, -Remaining and -Reset, the reset in seconds from now. */
  TRIPLE("triple"),
  /** X-RateLimit-Limit, -Remaining and -Reset, the reset in seconds since the epoch. */
  X_LEGACY("x-legacy");

  private final String configName;

  HeaderDialect(String configName) {
    this.configName = configName;
  }

  /** Its name in the node file. */
  public String configName() {
    return configName;
  }
}
