package io.ringfence.engine;

import java.util.BitSet;
import java.util.List;

/** Checkpoints as they are given to the disk, made of counters at hand. */
public final class CheckpointBatches {
  private CheckpointBatches() {}

  /** A checkpoint by which one slot left, another was opened, and counters are as they are. */
  public static CheckpointBatch of(int left, int opened, List<SavedCounter> counters) {
    return new CheckpointBatch(set(left), set(opened), counters, List.of(), new VirtualTime());
  }

  private static BitSet set(int slot) {
    BitSet set = new BitSet();
    if (slot >= 0) {
      set.set(slot);
    }
    return set;
  }

  /** All that is known of a slot. */
  public static List<SavedCounter> of(SavedSlots saved, int slot) {
    return saved.all().stream().filter(counter -> counter.slot() == slot).toList();
  }
}
