package io.ringfence.http;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory of bodies that have come in part, over all connections. A body that comes in one
 * piece, as nearly all do, is not copied and not counted; so what an attacker does here with many
 * slow bodies is felt by other slow bodies alone. Policy: refuse the newest part.
 *
 * <p>Thread-safe; does not block.
 */
final class PartialBodies {
  private final long maxBytes;
  // 0 <= heldBytes <= maxBytes
  private final AtomicLong heldBytes = new AtomicLong();

  /**
   * @param maxBytes what all connections together may hold, from 1
   */
  PartialBodies(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Takes that much more; false, and nothing is taken, if there is no room. */
  boolean take(long bytes) {
    long before = heldBytes.get();
    while (before + bytes <= maxBytes) {
      if (heldBytes.compareAndSet(before, before + bytes)) {
        return true;
      }
      before = heldBytes.get();
    }
    return false;
  }

  /** Gives back what was taken. */
  void give(long bytes) {
    heldBytes.addAndGet(-bytes);
  }

  /** What is held now. */
  long heldBytes() {
    return heldBytes.get();
  }
}
