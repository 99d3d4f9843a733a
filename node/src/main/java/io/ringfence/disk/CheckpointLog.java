package io.ringfence.disk;

import io.ringfence.engine.CheckpointBatch;
import io.ringfence.engine.SavedSlots;
import io.ringfence.ring.RingSettings;
import io.ringfence.ring.SipHash;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.BitSet;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A file that checkpoints are appended to.
 *
 * <p>It begins with eight bytes that name the format and eight that name the ring. Then come
 * frames: a length, a checksum, and a {@link CheckpointFrame}. A checkpoint is one frame or more.
 * Reading ends at the first frame that is not whole, as whoever was killed while writing leaves
 * one, and what follows is cut off before the log goes on.
 *
 * <p>Not thread-safe.
 */
final class CheckpointLog implements AutoCloseable {
  private static final byte[] FORMAT = "RFCKPT01".getBytes(StandardCharsets.US_ASCII);
  private static final int HEADER_BYTES = 2 * Long.BYTES;
  private static final int FRAME_HEADER_BYTES = 2 * Integer.BYTES;

  /** A frame is written once it is so long; one counter more may exceed it. */
  private static final int ENOUGH_BYTES = 1 << 20;

  /** Longer than any frame can be: the largest log of a counter, and a frame before it. */
  private static final int MAX_FRAME_BYTES = 1 << 27;

  /** A log is begun anew when it is twice as long as it was at its beginning, and this. */
  private static final long GROWTH_BYTES = 16L << 20;

  private final FileChannel file;
  private long firstBytes = -1; // how long its first checkpoint made it; -1 before
  private long bytes;

  private CheckpointLog(FileChannel file, long bytes) {
    this.file = file;
    this.bytes = bytes;
  }

  /** Begins an empty log. */
  static CheckpointLog begin(Path path, RingSettings ring) throws IOException {
    FileChannel file =
        FileChannel.open(
            path,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE);
    ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES).put(FORMAT).putLong(nameOf(ring)).flip();
    CheckpointLog log = new CheckpointLog(file, 0);
    log.write(header);
    return log;
  }

  /**
   * Reads a log, and opens it to go on.
   *
   * @return null where it is not a log of this ring
   */
  static @Nullable CheckpointLog read(
      Path path, RingSettings ring, SavedSlots into, DataDirectory.Warnings warnings)
      throws IOException {
    FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    ByteBuffer header = read(file, 0, HEADER_BYTES);
    if (header == null || !isFormat(header)) {
      warnings.warn(path + " is not a checkpoint of this release: it is not read");
      file.close();
      return null;
    }
    if (header.getLong(FORMAT.length) != nameOf(ring)) {
      warnings.warn(path + " is of a cluster with another name, secret or ring: it is not read");
      file.close();
      return null;
    }
    long at = HEADER_BYTES;
    long firstFrame = -1;
    while (at < file.size()) {
      long next = readFrame(file, at, into);
      if (next < 0) {
        warnings.warn(
            path
                + " ends in the middle of a checkpoint: the last "
                + (file.size() - at)
                + " bytes are not read");
        break;
      }
      firstFrame = firstFrame < 0 ? next : firstFrame;
      at = next;
    }
    file.truncate(at);
    file.position(at);
    CheckpointLog log = new CheckpointLog(file, at);
    log.firstBytes = firstFrame;
    return log;
  }

  private static boolean isFormat(ByteBuffer header) {
    byte[] format = new byte[FORMAT.length];
    header.get(0, format);
    return Arrays.equals(format, FORMAT);
  }

  /** Which counter is in which slot follows from the number of slots and the seed of the hashes. */
  private static long nameOf(RingSettings ring) {
    byte[] slots = Integer.toString(ring.slots()).getBytes(StandardCharsets.US_ASCII);
    return new SipHash(ring.k0(), ring.k1()).hash(slots, 0, slots.length);
  }

  /** Reads the frame that begins there; where the next one begins, -1 if this one is not whole. */
  private static long readFrame(FileChannel file, long at, SavedSlots into) throws IOException {
    ByteBuffer header = read(file, at, FRAME_HEADER_BYTES);
    if (header == null) {
      return -1;
    }
    int length = header.getInt(0);
    if (length < 0 || length > MAX_FRAME_BYTES) {
      return -1;
    }
    ByteBuffer frame = read(file, at + FRAME_HEADER_BYTES, length);
    if (frame == null || checksum(frame) != header.getInt(Integer.BYTES)) {
      return -1;
    }
    return CheckpointFrame.read(frame, into) ? at + FRAME_HEADER_BYTES + length : -1;
  }

  private static @Nullable ByteBuffer read(FileChannel file, long at, int length)
      throws IOException {
    if (file.size() - at < length) {
      return null;
    }
    ByteBuffer buffer = ByteBuffer.allocate(length);
    while (buffer.hasRemaining()) {
      if (file.read(buffer, at + buffer.position()) < 0) {
        return null;
      }
    }
    return buffer.flip();
  }

  private static int checksum(ByteBuffer frame) {
    CRC32C crc = new CRC32C();
    crc.update(frame.duplicate());
    return (int) crc.getValue();
  }

  /** Whether it has grown so much that it should be begun anew. */
  boolean hasGrown() {
    return firstBytes >= 0 && bytes > 2 * firstBytes + GROWTH_BYTES;
  }

  /** Appends a checkpoint; it is on the disk when this returns. */
  void append(CheckpointBatch batch) throws IOException {
    if (batch.isEmpty()) {
      firstBytes = firstBytes < 0 ? bytes : firstBytes;
      return;
    }
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    CheckpointFrame.Writer writer = new CheckpointFrame.Writer(new DataOutputStream(frame));
    writer.slots(batch.left(), batch.opened());
    try {
      batch.forEach(
          counter -> {
            try {
              writer.counter(counter);
              if (frame.size() >= ENOUGH_BYTES) {
                write(frame);
                writer.slots(new BitSet(), new BitSet());
              }
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    write(frame);
    file.force(false);
    firstBytes = firstBytes < 0 ? bytes : firstBytes;
  }

  private void write(ByteArrayOutputStream frame) throws IOException {
    ByteBuffer payload = ByteBuffer.wrap(frame.toByteArray());
    ByteBuffer header =
        ByteBuffer.allocate(FRAME_HEADER_BYTES)
            .putInt(payload.remaining())
            .putInt(checksum(payload))
            .flip();
    write(header);
    write(payload);
    frame.reset();
  }

  private void write(ByteBuffer buffer) throws IOException {
    bytes += buffer.remaining();
    while (buffer.hasRemaining()) {
      file.write(buffer);
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
