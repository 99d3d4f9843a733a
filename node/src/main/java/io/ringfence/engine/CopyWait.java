package io.ringfence.engine;

import io.ringfence.engine.message.Version;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiPredicate;
import java.util.function.IntFunction;

/**
 * An answer that waits until what was charged is copied.
 *
 * <p>Exactly one of its two tasks runs, once. Thread-safe.
 */
final class CopyWait {
  private final BitSet slots; // not changed
  private final Map<Integer, Version> needed =
      new HashMap<>(); // of Custody, guarded by its monitor
  private final long deadlineNanos;
  private final Runnable then;
  private final Runnable giveUp;
  private final AtomicBoolean over = new AtomicBoolean();

  /**
   * An answer that waits.
   *
   * @param slots where it was charged; taken over
   * @param deadlineNanos elapsed time until which it waits
   * @param then gives the answer
   * @param giveUp runs at the deadline instead
   */
  CopyWait(BitSet slots, long deadlineNanos, Runnable then, Runnable giveUp) {
    this.slots = slots;
    this.deadlineNanos = deadlineNanos;
    this.then = then;
    this.giveUp = giveUp;
  }

  /** Remembers what each slot holds by now; called once, by who keeps it. */
  void needs(IntFunction<Version> versions) {
    slots.stream().forEach(slot -> needed.put(slot, versions.apply(slot)));
  }

  /** Whether what is needed has arrived in all slots. */
  boolean isCopied(BiPredicate<Integer, Version> isCopied) {
    return needed.entrySet().stream()
        .allMatch(entry -> isCopied.test(entry.getKey(), entry.getValue()));
  }

  long deadlineNanos() {
    return deadlineNanos;
  }

  boolean isOver() {
    return over.get();
  }

  void copied() {
    if (over.compareAndSet(false, true)) {
      then.run();
    }
  }

  void expired() {
    if (over.compareAndSet(false, true)) {
      giveUp.run();
    }
  }
}
