package io.ringfence.peer;

import io.ringfence.engine.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says in the log why connections failed, without letting strangers fill it: one line a minute for
 * each address and reason, and {@value #LINES_A_MINUTE} lines a minute in all. It remembers at most
 * {@value #REMEMBERED} pairs and forgets the oldest first. What is left out is counted by {@link
 * PeerMetrics}, whose counters miss nothing.
 *
 * <p>Thread-safe; holds its lock for the look-up alone.
 */
final class RefusalLog {
  static final int LINES_A_MINUTE = 60;
  static final int REMEMBERED = 256;

  private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);
  private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Clock clock;
  private final Map<Line, Long> lastNanos = new LinkedHashMap<>(); // at most REMEMBERED
  private long minuteStartNanos;
  private int linesThisMinute; // 0..LINES_A_MINUTE

  RefusalLog(Clock clock) {
    this.clock = clock;
    this.minuteStartNanos = clock.elapsedNanos();
  }

  /**
   * Writes the line unless it must not.
   *
   * @param address of the other end, without what varies from one connection to the next
   * @param reason one of a few fixed phrases; nothing that was received
   */
  void refused(String address, String reason) {
    if (admit(new Line(address, reason))) {
      LOG.warn("peer connection with {} failed: {}", address, reason);
    }
  }

  /** Writes that a connection failed by a fault of this process, unless it must not. */
  void defect(String address, Throwable cause) {
    if (admit(new Line(address, "defect"))) {
      LOG.error("peer connection with {} failed by a defect", address, cause);
    }
  }

  /** Whether a line may be written now; if so it counts as written. */
  synchronized boolean admit(Line line) {
    long now = clock.elapsedNanos();
    if (now - minuteStartNanos >= MINUTE_NANOS) {
      minuteStartNanos = now;
      linesThisMinute = 0;
    }
    Long last = lastNanos.get(line);
    if (linesThisMinute >= LINES_A_MINUTE || (last != null && now - last < MINUTE_NANOS)) {
      return false;
    }
    lastNanos.remove(line);
    if (lastNanos.size() >= REMEMBERED) {
      lastNanos.remove(lastNanos.keySet().iterator().next());
    }
    lastNanos.put(line, now);
    linesThisMinute++;
    return true;
  }

  /** An address and a reason. */
  record Line(String address, String reason) {}
}
