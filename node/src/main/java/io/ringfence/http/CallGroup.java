package io.ringfence.http;

/** Calls that are served together or not at all at an address. */
public enum CallGroup {
  /** What callers of the limiter ask. */
  CHECKS,
  /** What operators do and look into; needs the token, where there is one. */
  ADMIN,
  /** What probes and monitors read: health, metrics, the cluster. */
  STATUS
}
