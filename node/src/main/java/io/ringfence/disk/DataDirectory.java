package io.ringfence.disk;

import io.ringfence.engine.CheckpointBatch;
import io.ringfence.engine.SavedSlots;
import io.ringfence.ring.RingSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The data directory of one node.
 *
 * <p>It holds three files: {@code lock}, which keeps two processes from using one directory; {@code
 * lineage}, which says that a process of this node was in a cluster, so that the next one does not
 * take itself for the first; and {@code checkpoint}, the {@link CheckpointLog}. A directory without
 * {@code lineage} is that of a first start.
 *
 * <p>A log that cannot be written is begun anew at the next checkpoint, beside the old one, which
 * it replaces once it is whole and on the disk. So a full disk, or a process that is killed in the
 * middle, costs what was not written yet, and nothing of what was.
 *
 * <p>Not thread-safe, but for {@link #remember}. All methods block on the disk.
 */
public final class DataDirectory implements AutoCloseable {
  private static final String LINEAGE = "lineage";
  private static final String CHECKPOINT = "checkpoint";

  private final Path directory;
  private final RingSettings ring;
  private final FileChannel lockFile;
  private @Nullable CheckpointLog log; // null until the first write, and after one that failed
  private @Nullable String remembered; // guarded by this

  private DataDirectory(Path directory, RingSettings ring, FileChannel lockFile) {
    this.directory = directory;
    this.ring = ring;
    this.lockFile = lockFile;
  }

  /**
   * Opens the directory, which is made where there is none.
   *
   * @param ring decides which counter is in which slot; a log of another ring is not read
   * @throws IOException where it cannot be made, read or written, or another process uses it; the
   *     message names it
   */
  public static DataDirectory open(Path directory, RingSettings ring) throws IOException {
    try {
      Files.createDirectories(directory);
      FileChannel lockFile =
          FileChannel.open(
              directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (!lock(lockFile)) {
        lockFile.close();
        throw new IOException("another process uses it");
      }
      return new DataDirectory(directory, ring, lockFile);
    } catch (IOException e) {
      throw new IOException("node.data: " + directory + ": " + reason(e), e);
    }
  }

  private static boolean lock(FileChannel file) throws IOException {
    try {
      FileLock lock = file.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException thisProcess) {
      return false;
    }
  }

  private static String reason(IOException e) {
    if (e instanceof FileAlreadyExistsException) {
      return "it is not a directory";
    }
    String message = e.getMessage();
    return e.getClass() == IOException.class && message != null
        ? message
        : e.getClass().getSimpleName().replace("Exception", "") + " " + message;
  }

  /**
   * What earlier processes of this node left; null if there never was one.
   *
   * @param warnings is told what could not be read
   */
  public @Nullable SavedSlots read(Warnings warnings) throws IOException {
    if (!Files.exists(directory.resolve(LINEAGE))) {
      return null;
    }
    Path file = directory.resolve(CHECKPOINT);
    SavedSlots saved = new SavedSlots();
    if (Files.exists(file)) {
      log = CheckpointLog.read(file, ring, saved, warnings);
    }
    return saved;
  }

  /** Is told what is wrong with a file. */
  public interface Warnings {
    /** One sentence, with the file's name. */
    void warn(String warning);
  }

  /** From now on a process of this node was in that lineage. */
  public synchronized void remember(String lineage) throws IOException {
    if (!lineage.equals(remembered)) {
      Path next = directory.resolve(LINEAGE + ".new");
      try (FileChannel file =
          FileChannel.open(
              next,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE)) {
        file.write(ByteBuffer.wrap((lineage + "\n").getBytes(StandardCharsets.UTF_8)));
        file.force(true);
      }
      replace(next, directory.resolve(LINEAGE));
      remembered = lineage;
    }
  }

  /** Whether the next checkpoint should have everything. */
  public boolean wantsAll() {
    CheckpointLog current = log;
    return current == null || current.hasGrown();
  }

  /**
   * Writes a checkpoint; it is on the disk when this returns.
   *
   * @param all whether it has everything
   * @throws IOException where that fails; the next one must have everything
   */
  public void write(CheckpointBatch batch, boolean all) throws IOException {
    CheckpointLog current = log;
    log = null;
    if (all) {
      if (current != null) {
        current.close();
      }
      Path next = directory.resolve(CHECKPOINT + ".new");
      current = CheckpointLog.begin(next, ring);
      append(current, batch);
      replace(next, directory.resolve(CHECKPOINT));
    } else if (current == null) {
      throw new IOException("there is no checkpoint to go on from");
    } else {
      append(current, batch);
    }
    log = current;
  }

  private static void append(CheckpointLog to, CheckpointBatch batch) throws IOException {
    try {
      to.append(batch);
    } catch (IOException | RuntimeException e) {
      to.close();
      throw e;
    }
  }

  private static void replace(Path next, Path file) throws IOException {
    try {
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  @Override
  public void close() throws IOException {
    CheckpointLog current = log;
    log = null;
    if (current != null) {
      current.close();
    }
    lockFile.close();
  }
}
