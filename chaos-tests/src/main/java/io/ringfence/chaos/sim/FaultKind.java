package io.ringfence.chaos.sim;

/** What can go wrong, as the coverage table counts it. */
enum FaultKind {
  LOSS("lost"),
  DUPLICATE("doubled"),
  LATE("late"),
  OVERTAKEN("overtaken"),
  TURNED_AWAY("queue full"),
  CUT_ONE_WAY("cut one way"),
  CUT_BOTH_WAYS("cut both ways"),
  RESET("reset"),
  FREEZE("freeze"),
  LAPSE("lapse"),
  CLOCK_SET("clock set");

  private final String text;

  FaultKind(String text) {
    this.text = text;
  }

  /** Whether it strikes a link or a node, and with it whatever is there at that moment. */
  boolean isOfLinks() {
    return switch (this) {
      case LOSS, DUPLICATE, LATE -> false;
      default -> true;
    };
  }

  /** One or two words for people. */
  String text() {
    return text;
  }
}
