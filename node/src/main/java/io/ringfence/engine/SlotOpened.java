package io.ringfence.engine;

/** How a slot came to be open at a node. */
public enum SlotOpened {
  /** Its last decider passed it on. */
  PASSED("passed"),
  /** Its last decider was gone, and there was a copy. */
  RECOVERED("recovered"),
  /** Its last decider was gone, and so were all copies. */
  LOST("lost");

  private final String text;

  SlotOpened(String text) {
    this.text = text;
  }

  /** The word in metrics. */
  public String text() {
    return text;
  }
}
