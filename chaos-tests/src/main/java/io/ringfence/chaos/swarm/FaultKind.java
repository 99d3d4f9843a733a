package io.ringfence.chaos.swarm;

/** What can be done to a cluster, as the coverage table counts it. */
enum FaultKind {
  CRASH("killed"),
  CRASH_ALL("all killed"),
  FREEZE("stopped"),
  CUT_ONE_WAY("cut one way"),
  CUT_BOTH_WAYS("cut both ways"),
  PARTITION("partition"),
  SLOW("slow link"),
  JOIN("join"),
  DRAIN("drain"),
  ROLLING("restarts in turn"),
  WEIGH("another weight"),
  CLOCK_SET("clock set");

  private final String text;

  FaultKind(String text) {
    this.text = text;
  }

  /** A few words for people. */
  String text() {
    return text;
  }
}
