package io.ringfence.engine;

/**
 * How sure an answer is, from the surest to the least sure. The code is what crosses the wire and
 * is never given another meaning.
 */
public enum Certainty {
  /** The owner decided on a counter that it has known all along. */
  EXACT(0, "exact"),
  /** The owner decided on a counter restored from a replica or a checkpoint. */
  RECOVERED(1, "recovered"),
  /** The owner may not know all that was used in this window, and assumed what the rule says. */
  ASSUMED(2, "assumed"),
  /** The owner was not reached; the rule's failure policy answered. */
  DEGRADED(3, "degraded"),
  /** The owner was not reached, and the rule refuses rather than guesses. */
  CLOSED(4, "closed");

  private final int code;
  private final String text;

  Certainty(int code, String text) {
    this.code = code;
    this.text = text;
  }

  /** The code on the wire. */
  public int code() {
    return code;
  }

  /** The word in replies and metrics. */
  public String text() {
    return text;
  }

  /** Whether the owner decided, on a counter that misses nothing. */
  public boolean isSure() {
    return this == EXACT || this == RECOVERED;
  }

  /** The less sure of the two. */
  public Certainty leastOf(Certainty other) {
    return code >= other.code ? this : other;
  }

  /** The certainty of that code; throws IllegalArgumentException where there is none. */
  public static Certainty ofCode(int code) {
    for (Certainty certainty : values()) {
      if (certainty.code == code) {
        return certainty;
      }
    }
    throw new IllegalArgumentException("no certainty has code " + code);
  }
}
