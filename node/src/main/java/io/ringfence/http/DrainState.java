package io.ringfence.http;

/** Whether a node is a member for good, or on its way out of the view. */
public enum DrainState {
  /** It is not about to leave. */
  NONE("none"),
  /** It leaves: it passes its slots on, and is in the view until it has. */
  DRAINING("draining"),
  /** It is in no view and owns nothing; it forwards what it is asked. */
  DRAINED("drained");

  private final String text;

  DrainState(String text) {
    this.text = text;
  }

  /** As answers show it. */
  String text() {
    return text;
  }
}
