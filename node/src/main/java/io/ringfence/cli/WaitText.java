package io.ringfence.cli;

import java.util.concurrent.TimeUnit;

/**
 * A wait in words, rounded up in the last unit shown: who waits as long as it says has waited
 * enough.
 */
final class WaitText {
  private static final long SECOND = 1_000;
  private static final long MINUTE = TimeUnit.MINUTES.toMillis(1);
  private static final long HOUR = TimeUnit.HOURS.toMillis(1);
  private static final long DAY = TimeUnit.DAYS.toMillis(1);
  private static final long TENTH = 100;

  private WaitText() {}

  /**
   * @param millis from 0
   */
  static String ofMillis(long millis) {
    if (millis < SECOND) {
      return millis + " ms";
    }
    if (millis <= MINUTE - TENTH) {
      long tenths = ceilDiv(millis, TENTH);
      String fraction = tenths % 10 == 0 ? "" : "." + tenths % 10;
      return tenths / 10 + fraction + " s";
    }
    if (millis <= HOUR - SECOND) {
      return pair(ceilDiv(millis, SECOND), 60, "min", "s");
    }
    if (millis <= DAY - MINUTE) {
      return pair(ceilDiv(millis, MINUTE), 60, "h", "min");
    }
    return pair(ceilDiv(millis, HOUR), 24, "d", "h");
  }

  private static String pair(long small, long perLarge, String large, String smallUnit) {
    String rest = small % perLarge == 0 ? "" : " " + small % perLarge + " " + smallUnit;
    return small / perLarge + " " + large + rest;
  }

  private static long ceilDiv(long dividend, long divisor) {
    return dividend / divisor + (dividend % divisor == 0 ? 0 : 1);
  }
}
