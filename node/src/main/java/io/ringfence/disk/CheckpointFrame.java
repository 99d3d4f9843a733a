package io.ringfence.disk;

import io.ringfence.algorithms.Algorithm;
import io.ringfence.algorithms.Kind;
import io.ringfence.engine.SavedCounter;
import io.ringfence.engine.SavedSlots;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.BitSet;

/**
 * A part of a checkpoint: slots that left, slots that were opened, and counters, each list with its
 * length before it. A counter is its slot, limit, values, account, the instant, the algorithm's
 * kind and three numbers, and the words of its state.
 */
final class CheckpointFrame {
  private static final int MAX_SLOT = 65_535;

  private CheckpointFrame() {}

  /** Writes frames, one after the other. */
  static final class Writer {
    private final DataOutputStream out;

    Writer(DataOutputStream out) {
      this.out = out;
    }

    /** Begins a frame. */
    void slots(BitSet left, BitSet opened) throws IOException {
      set(left);
      set(opened);
    }

    private void set(BitSet slots) throws IOException {
      byte[] bits = slots.toByteArray();
      out.writeShort(bits.length);
      out.write(bits);
    }

    void counter(SavedCounter counter) throws IOException {
      out.writeShort(counter.slot());
      out.writeLong(counter.limitId());
      out.writeShort(counter.values().length);
      out.write(counter.values());
      out.writeShort(counter.account());
      out.writeLong(counter.wallNanos());
      Algorithm algorithm = counter.algorithm();
      out.writeByte(algorithm.kind().wireCode());
      out.writeLong(algorithm.limit());
      out.writeLong(algorithm.windowNanos());
      out.writeLong(algorithm.burst());
      out.writeInt(counter.words().length);
      for (long word : counter.words()) {
        out.writeLong(word);
      }
    }
  }

  /** Reads one; whether it made sense. What was read before it turned out not to stays read. */
  static boolean read(ByteBuffer frame, SavedSlots into) {
    try {
      set(frame).stream().filter(slot -> slot <= MAX_SLOT).forEach(into::left);
      set(frame).stream().filter(slot -> slot <= MAX_SLOT).forEach(into::opened);
      while (frame.hasRemaining()) {
        into.add(counter(frame));
      }
      return true;
    } catch (BufferUnderflowException | IllegalArgumentException nonsense) {
      return false;
    }
  }

  private static BitSet set(ByteBuffer frame) {
    return BitSet.valueOf(bytes(frame));
  }

  private static byte[] bytes(ByteBuffer frame) {
    byte[] bytes = new byte[Short.toUnsignedInt(frame.getShort())];
    frame.get(bytes);
    return bytes;
  }

  private static SavedCounter counter(ByteBuffer frame) {
    int slot = Short.toUnsignedInt(frame.getShort());
    long limitId = frame.getLong();
    byte[] values = bytes(frame);
    int account = Short.toUnsignedInt(frame.getShort());
    long wallNanos = frame.getLong();
    Algorithm algorithm =
        Algorithm.of(
            Kind.ofWireCode(frame.get()), frame.getLong(), frame.getLong(), frame.getLong());
    int count = frame.getInt();
    if (count < 0 || count > frame.remaining() / Long.BYTES) {
      throw new BufferUnderflowException();
    }
    long[] words = new long[count];
    frame.asLongBuffer().get(words);
    frame.position(frame.position() + count * Long.BYTES);
    return new SavedCounter(slot, limitId, values, account, algorithm, words, wallNanos);
  }
}
