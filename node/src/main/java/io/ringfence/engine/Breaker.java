package io.ringfence.engine;

/**
 * Stops asking a member that does not answer.
 *
 * <p>CLOSED lets everything pass; the configured number of consecutive failures opens it, a single
 * slow reply does not. OPEN lets nothing pass until the probe interval is over; then one check
 * tries the member again while the others still do not wait for it. Its answer closes the breaker,
 * its failure starts another interval.
 *
 * <p>Thread-safe; holds its monitor for a few instructions.
 */
final class Breaker {
  private final int failuresToOpen;
  private final long probeNanos;

  private int failures; // consecutive; 0 <= failures <= failuresToOpen
  private boolean open; // failures == failuresToOpen
  private long nextProbeNanos; // elapsed time; of meaning only while open

  Breaker(ForwardSettings settings) {
    this.failuresToOpen = settings.breakerFailures();
    this.probeNanos = settings.probe().toNanos();
  }

  /** Whether a call may be made now. */
  synchronized boolean admits(long nowNanos) {
    if (!open) {
      return true;
    }
    if (nowNanos < nextProbeNanos) {
      return false;
    }
    nextProbeNanos = nowNanos + probeNanos;
    return true;
  }

  /** Records an answer; true if it closed the breaker. */
  synchronized boolean answered() {
    boolean closes = open;
    open = false;
    failures = 0;
    return closes;
  }

  /** Records a failure; true if it opened the breaker. */
  synchronized boolean failed(long nowNanos) {
    if (open) {
      return false;
    }
    failures++;
    if (failures < failuresToOpen) {
      return false;
    }
    open = true;
    nextProbeNanos = nowNanos + probeNanos;
    return true;
  }

  synchronized boolean isOpen() {
    return open;
  }
}
