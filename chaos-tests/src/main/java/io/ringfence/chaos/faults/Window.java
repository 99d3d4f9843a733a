package io.ringfence.chaos.faults;

/**
 * A window of which a wanted part is over now. Fixed windows are aligned to the epoch, so a trial
 * that is to meet a fault early or late in its window does not wait for the time but chooses the
 * length.
 *
 * @param seconds from two hours, so that no trial meets the window's end
 */
record Window(long seconds) {
  private static final long SHORTEST_SECONDS = 7_200;

  /**
   * The one that fits best of all from two to four hours.
   *
   * @param over the part that is to be over, from 0 to 1
   */
  static Window over(double over, long epochMillis) {
    long best = SHORTEST_SECONDS;
    for (long seconds = SHORTEST_SECONDS; seconds < 2 * SHORTEST_SECONDS; seconds++) {
      if (off(seconds, over, epochMillis) < off(best, over, epochMillis)) {
        best = seconds;
      }
    }
    return new Window(best);
  }

  private static double off(long seconds, double over, long epochMillis) {
    return Math.abs(new Window(seconds).overAt(epochMillis) - over);
  }

  /** Which part of it is over then. */
  double overAt(long epochMillis) {
    return (double) Math.floorMod(epochMillis, millis()) / millis();
  }

  long millis() {
    return seconds * 1_000;
  }
}
