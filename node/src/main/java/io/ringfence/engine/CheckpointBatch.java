package io.ringfence.engine;

import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What has changed since the last checkpoint, to be written in this order: slots that left, slots
 * that were opened, counters as they stand when they are read.
 *
 * <p>To be read by one thread, once.
 */
public final class CheckpointBatch {
  private final BitSet left;
  private final BitSet opened;
  private final List<SavedCounter> earlier; // of a process before, and not taken up yet
  private final List<Counter> counters;
  private final Clock clock;

  CheckpointBatch(
      BitSet left, BitSet opened, List<SavedCounter> earlier, List<Counter> counters, Clock clock) {
    this.left = left;
    this.opened = opened;
    this.earlier = earlier;
    this.counters = counters;
    this.clock = clock;
  }

  /** Slots that are decided for elsewhere by now. Not to be changed. */
  public BitSet left() {
    return left;
  }

  /** Slots that are decided for here from now on. Not to be changed. */
  public BitSet opened() {
    return opened;
  }

  /** Whether nothing is to be written. */
  public boolean isEmpty() {
    return left.isEmpty() && opened.isEmpty() && earlier.isEmpty() && counters.isEmpty();
  }

  /** Reads the counters one by one; those that are idle, or have left, are passed over. */
  public void forEach(Consumer<SavedCounter> reader) {
    earlier.forEach(reader);
    for (Counter counter : counters) {
      SavedCounter saved = saved(counter);
      if (saved != null) {
        reader.accept(saved);
      }
    }
  }

  private @Nullable SavedCounter saved(Counter counter) {
    synchronized (counter) {
      if (counter.removed() || !counter.slot().isOpen()) {
        return null;
      }
      Moment now = Moment.of(clock);
      return new SavedCounter(
          counter.slot().number(),
          counter.key().limitId(),
          counter.key().values(),
          counter.account(),
          counter.algorithm(),
          counter.words(now),
          now.wallNanos());
    }
  }
}
