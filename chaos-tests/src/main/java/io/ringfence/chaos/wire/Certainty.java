package io.ringfence.chaos.wire;

import java.util.Locale;

/** How sure a node says it is of an answer. */
public enum Certainty {
  /** The owner decided on all that was ever charged. */
  EXACT,
  /** The owner decided on a replica. */
  RECOVERED,
  /** The owner decided on what it had to assume of a lost counter. */
  ASSUMED,
  /** The owner was not reached; the failure policy admitted or denied. */
  DEGRADED,
  /** The owner was not reached; the failure policy closed. */
  CLOSED;

  static Certainty of(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT));
  }
}
